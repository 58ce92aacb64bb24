import { expect, test } from "vitest";
import { Changes } from "./changes.ts";
import type { QueuedEvent } from "./contract.ts";
import { Model } from "./model/model.ts";

const channel = (stream_id: number) => ({
  ...{ stream_id, name: `channel ${stream_id}`, description: "", is_archived: false },
  ...{ color: "#112233", first_message_id: 3, subscriber_count: 2 },
});

/** What one event changes, beside subjects that are of no interest here. */
function world() {
  const model = Model.fromSnapshot({
    user_id: 1,
    realm_users: [],
    subscriptions: [channel(4), channel(5)],
    unread_msgs: {
      streams: [{ stream_id: 4, topic: "Soup", unread_message_ids: [10, 11] }],
      ...{ pms: [{ other_user_id: 7, unread_message_ids: [12] }], huddles: [], mentions: [] },
      old_unreads_missing: false,
    },
  });
  const changes = new Changes();
  let changed: ReadonlySet<string> = new Set();
  changes.listen((all) => {
    changed = all;
  });
  changes.readModel(model);
  changes.flush();
  return (event: object) => {
    changed = new Set();
    model.handle(event as QueuedEvent);
    changes.noteEvent(event as QueuedEvent);
    changes.flush();
    return [...changed].filter((source) => /^(unreads|typing|channels)/.test(source)).sort();
  };
}

const message = (id: number, more: object = {}) => ({
  ...{ id, type: "stream", stream_id: 4, subject: "soup", sender_id: 7, content: "", timestamp: 1 },
  ...{ reactions: [], submessages: [], display_recipient: "channel 4" },
  ...more,
});
const arrival = (flags: string[]) => ({ id: 1, type: "message", message: message(20), flags });

test("a message that arrives changes the unread messages of its topic and of its channel", () => {
  expect(world()(arrival([]))).toEqual(["unreads", "unreads:channel 4", "unreads:channel 4 soup"]);
});

test("a message that is read on arrival changes no unread messages, and nobody's typing", () => {
  expect(world()(arrival(["read"]))).toEqual([]);
});

test("messages that are read change the conversations that they were in", () => {
  const event = { type: "update_message_flags", op: "add", flag: "read", messages: [10, 12, 99], all: false };
  expect(world()(event)).toEqual([
    "unreads",
    "unreads:channel 4",
    "unreads:channel 4 soup",
    "unreads:direct 7",
  ]);
});

test("a message ends its sender's typing there", () => {
  const apply = world();
  const sender = { user_id: 7 };
  const started = {
    type: "typing",
    op: "start",
    message_type: "stream",
    stream_id: 4,
    topic: "Soup",
    sender,
  };
  expect(apply(started)).toEqual(["typing", "typing:channel 4 soup"]);
  expect(apply(arrival(["read"]))).toEqual(["typing", "typing:channel 4 soup"]);
});

test("a message changes channels only if it is the first one of its channel", () => {
  const apply = world();
  expect(apply(arrival(["read"]))).toEqual([]);
  apply({ type: "subscription", op: "add", subscriptions: [{ ...channel(6), first_message_id: null }] });
  const first = { ...arrival(["read"]), message: message(21, { stream_id: 6 }) };
  expect(apply(first)).toEqual(["channels", "channels:6"]);
});

test("a change of a channel names the channel", () => {
  const apply = world();
  const renamed = { type: "stream", op: "update", stream_id: 4, property: "name", value: "kitchen" };
  expect(apply(renamed)).toEqual(["channels", "channels:4"]);
  expect(apply({ type: "subscription", op: "peer_add", stream_ids: [5], user_ids: [8] })).toEqual([
    "channels",
    "channels:5",
  ]);
});
