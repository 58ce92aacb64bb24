import { afterEach, expect, test, vi } from "vitest";
import { events } from "../api/index.ts";
import { compare, startMessageClient } from "../test/harness/message-client.ts";
import { MessageServer, VIEWER } from "../test/harness/message-server.ts";
import { changeReaders, changesOf } from "./message-windows/message-changes.ts";
import type { NarrowTerm } from "./narrow.ts";
import { changeKinds, narrowOperators, operatorOf } from "./narrow-operators.ts";
import { searchOperators } from "./search/operators.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** They change neither a message nor which messages a narrow has. */
const others = [
  ...["alert_words", "attachment", "channel_folder", "custom_profile_fields", "default_stream_groups"],
  ...["default_streams", "drafts", "heartbeat", "invites_changed", "muted_topics", "muted_users"],
  ...[
    "navigation_view",
    "onboarding_steps",
    "presence",
    "push_device",
    "realm",
    "realm_bot",
    "realm_domains",
  ],
  ...["realm_emoji", "realm_export", "realm_export_consent", "realm_linkifiers", "realm_playgrounds"],
  ...["realm_user_settings_defaults", "reminders", "saved_snippets", "scheduled_messages", "submessage"],
  ...["restart", "typing", "typing_edit_message", "update_display_settings", "update_global_notifications"],
  // A mention of a group is for those who were in it when it was said.
  ...["user_group", "user_settings", "user_status", "web_reload_client"],
];

/** Each operator with the values that it is told apart by. */
const terms: readonly NarrowTerm[] = searchOperators.flatMap(({ name, kind, values }) => {
  const operands = {
    channel: [4],
    person: [3, "me"],
    people: [[3]],
    choice: values ?? [],
    text: [name === "topic" ? "soup" : "a"],
    id: [2],
  }[kind];
  return operands.map((operand) => ({ operator: name, operand }));
});

/** What happens to each message. */
const changesOfMessages: Readonly<Record<string, (server: MessageServer, id: number) => void>> = {
  deletion: (server, id) => server.delete(id),
  edit: (server, id) => server.edit(id, "<p>a link image attachment</p>", ["mentioned", "has_alert_word"]),
  "edit back": (server, id) => server.edit(id, "<p>c</p>", []),
  move: (server, id) => server.move([id], "bread"),
  "move here": (server, id) => server.move([id], "soup"),
  resolution: (server, id) => server.move([id], "✔ soup"),
  "move to a channel": (server, id) => server.move([id], "soup", 4),
  reaction: (server, id) => server.react(id),
  star: (server, id) => server.flag([id], "add", "starred"),
  unstar: (server, id) => server.flag([id], "remove", "starred"),
  read: (server, id) => server.flag([id], "add", "read"),
  unread: (server, id) => server.flag([id], "remove", "read"),
};

/** What happens once. A second time would take some of it back. */
const changesOfMore: Readonly<Record<string, (server: MessageServer) => void>> = {
  "topic policy": (server) => server.follow(4, "soup"),
  muting: (server) => server.mute(4),
  "opening to the web": (server) => server.openToWeb(4),
  arrival: (server) => void server.send({ channelId: 4, topic: "soup", content: "<p>a link</p>" }),
  "direct arrival": (server) => void server.send({ senderId: 2, flags: ["mentioned", "has_alert_word"] }),
  unsubscription: (server) => server.unsubscribe(7),
  "another subscription": (server) => {
    server.unsubscribe(5);
    server.subscribe(5);
  },
};

const changes: Readonly<Record<string, (server: MessageServer) => void>> = {
  ...changesOfMore,
  ...Object.fromEntries(
    Object.entries(changesOfMessages).map(([name, change]) => [
      name,
      (server: MessageServer) => {
        for (const id of [...server.messages.keys()]) change(server, id);
      },
    ]),
  ),
};

function fill(server: MessageServer): void {
  for (const id of [4, 5]) server.addChannel(id);
  server.addChannel(7, { isPrivate: true });
  for (const channelId of [4, 5, 7]) {
    for (const topic of ["soup", "bread", "✔ soup"]) {
      server.send({ channelId, topic, flags: ["read"] });
      server.send({
        channelId,
        topic,
        senderId: 2,
        content: "<p>a link</p>",
        flags: ["starred", "mentioned"],
      });
    }
  }
  server.send({ content: "<p>a</p>" });
  server.send({ senderId: 2, flags: ["read"] });
}

test("each operator of searches is in the table", () => {
  for (const term of terms) {
    const names = [`${term.operator}:${term.operand}`, term.operator];
    expect(
      names.some((name) => name in narrowOperators),
      names[0],
    ).toBe(true);
  }
});

test("each type of event is known to change narrows, or not to", () => {
  for (const { type } of events) expect(type in changeReaders !== others.includes(type), type).toBe(true);
});

test("the changes are of every kind", () => {
  const kinds = Object.values(changes).flatMap((change) => {
    const server = new MessageServer();
    fill(server);
    change(server);
    return server.told.flatMap((event) => changesOf(event, VIEWER)).map(({ kind }) => kind);
  });
  expect(changeKinds.filter((kind) => !kinds.includes(kind))).toEqual([]);
});

for (const [name, change] of Object.entries(changes)) {
  test(`after "${name}", each narrow has what the server would say`, async () => {
    vi.useFakeTimers();
    for (const term of [...terms, ...terms.map((one) => ({ ...one, negated: true }))]) {
      // A channel by a name, and where to begin, are for the server.
      if (term.operator === "near") continue;
      const server = new MessageServer();
      fill(server);
      const client = await startMessageClient(server);
      const opened = await client.open([term]);
      const before = [...opened.window.ids];
      change(server);
      await client.pass(8000);
      const { shown, expected } = compare(server, client, opened);
      const what = `${"negated" in term ? "-" : ""}${term.operator}:${term.operand}`;
      const kept = operatorOf(term).staysAfter && !("negated" in term);
      if (kept) expect(shown.messages, what).toEqual(expect.arrayContaining(expected.messages));
      else expect(shown, what).toEqual(expected);
      if (kept && name === "read") expect(opened.window.ids, what).toEqual(before);
      // People who come back see the same.
      opened.close();
      const again = await client.open([term]);
      await client.pass(3000);
      const later = compare(server, client, again);
      expect(later.shown, what).toEqual(later.expected);
      await client.stop();
    }
  });
}
