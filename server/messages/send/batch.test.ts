import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { roles } from "../../../api/roles.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { holdLog } from "../../../test/harness/held-log.ts";
import { untilWaiting } from "../../../test/harness/waiting.ts";
import { subscribe, unsubscribe } from "../../channels/subscriptions/subscribe.ts";
import { Draft } from "../../content/rendering.ts";
import { users } from "../../people/user.ts";
import { ServerBusy } from "../../platform/db/server-busy.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { MAX_WAITING } from "./batch.ts";
import { batcherOf, sendMessage } from "./send.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());
afterEach(() => vi.restoreAllMocks());

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

test.each([
  ["message", "still here?"],
  ["poll", "/poll Still here?"],
])("a %s whose sender loses the channel before it is written is refused, not sent", async (what, content) => {
  const leads = await harness.channel(`leads with a ${what}`, ["ada", "dev"], { isPrivate: true });
  const { viewer } = harness.user("dev");
  const request = {
    to: { kind: "channel", channel: { id: leads.id }, topic: "x" },
    content,
    localEcho: null,
    readBySender: null,
  } as const;
  await sendMessage(viewer, request);
  const release = await holdLog(harness.state);
  // The unsubscription is first in the queue for the log's lock. The message behind it was checked earlier.
  const leaving = runStateChange(harness.state, async (tx) => {
    await unsubscribe(tx, [leads], [viewer.user]);
  });
  await untilWaiting(harness.state.database, 1);
  const sending = sendMessage(viewer, request);
  const refused = expect(sending).rejects.toThrow(`Not authorized to send to channel '${leads.id}'`);
  await untilWaiting(harness.state.database, 2);
  await release();
  await Promise.all([leaving, refused]);
  const { body } = await harness
    .as("ada")
    .get("/messages", { anchor: "newest", num_before: 9, num_after: 0, narrow: [["channel", leads.name]] });
  expect(body.messages).toHaveLength(1);
});

test("a message that is still allowed is sent although the memory has changed in the meantime", async () => {
  await harness.channel("kitchen", ["ada", "dev"]);
  const release = await holdLog(harness.state);
  const changing = harness.channel("other", ["ada"]);
  await untilWaiting(harness.state.database, 1);
  const sending = harness
    .as("dev")
    .post("/messages", { type: "channel", to: "kitchen", topic: "x", content: "y" });
  await untilWaiting(harness.state.database, 2);
  await release();
  const [{ status }] = await Promise.all([sending, changing]);
  expect(status).toBe(200);
});

test("a sender who becomes a guest before the message is written is judged as a guest", async () => {
  await harness.channel("hall", ["ada"]);
  const { viewer } = harness.user("elin");
  const request = {
    to: { kind: "channel", channel: { name: "hall" }, topic: "x" },
    content: "y",
    localEcho: null,
    readBySender: null,
  } as const;
  await sendMessage(viewer, request);
  const release = await holdLog(harness.state);
  const demoting = runStateChange(harness.state, async (tx) => {
    const user = { ...(tx.state.get(users).find(viewer.user.id) as typeof viewer.user), role: roles.guest };
    tx.appendPatch({ users: { put: [user] } });
  });
  await untilWaiting(harness.state.database, 1);
  const refused = expect(sendMessage(viewer, request)).rejects.toThrow(
    "Not authorized to send to channel 'hall'",
  );
  await untilWaiting(harness.state.database, 2);
  await release();
  await Promise.all([demoting, refused]);
});

test("messages that state changes beat again and again are sent, each once", async () => {
  const channel = await harness.channel("beaten", ["ada", "dev"]);
  const { viewer } = harness.user("dev");
  let isDone = false;
  const changes = (async () => {
    while (!isDone) {
      await runStateChange(harness.state, (tx) => unsubscribe(tx, [channel], [harness.user("ada").user]));
      await runStateChange(harness.state, (tx) => subscribe(tx, [channel], [harness.user("ada").user]));
    }
  })();
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      sendMessage(viewer, {
        to: { kind: "channel", channel: { id: channel.id }, topic: "beaten" },
        content: `number ${index}`,
        localEcho: null,
        readBySender: null,
      }),
    ),
  );
  isDone = true;
  await changes;
  expect(new Set(ids).size).toBe(40);
});

test("a draft is rendered again only when what it may name has changed", async () => {
  const channel = await harness.channel("drafts", ["ada", "dev"]);
  const { user } = harness.user("dev");
  const [plain, linking] = ["Soup for @**Elin Berg**", "See #**drafts**"].map((text) => ({
    text,
    draft: new Draft(text),
  })) as [{ text: string; draft: Draft }, { text: string; draft: Draft }];
  const render = ({ text, draft }: { text: string; draft: Draft }) => draft.render(harness.state, text, user);
  const before = [render(plain), render(linking)];
  expect([render(plain), render(linking)]).toEqual(before);
  await runStateChange(harness.state, (tx) => unsubscribe(tx, [channel], [harness.user("ada").user]));
  expect(render(plain)).toBe(before[0]);
  expect(render(linking)).not.toBe(before[1]);
  const renamed = { ...harness.user("elin").user, fullName: "Elin Berg-Lind" };
  await runStateChange(harness.state, async (tx) => {
    tx.appendPatch(patchOf(users, { put: [renamed] }));
  });
  expect(render(plain).html).not.toBe(before[0]?.html);
});

test("a batch ends before its texts become too long, and a single long message still goes", async () => {
  await harness.channel("long texts", ["ada", "dev"]);
  const { viewer } = harness.user("dev");
  const say = (content: string) =>
    sendMessage(viewer, {
      to: { kind: "channel", channel: { name: "long texts" }, topic: "long" },
      content,
      localEcho: null,
      readBySender: null,
    });
  await say("The first message of the topic goes alone.");
  const release = await holdLog(harness.state);
  const { counts } = batcherOf(harness.state);
  const before = { ...counts };
  // One leaves at once and waits for the lock. The others gather meanwhile.
  const first = say("first");
  await untilWaiting(harness.state.database, 1);
  const rest = Array.from({ length: 60 }, (_, index) => say(`${index} ${"word ".repeat(1_900)}`));
  await release();
  await Promise.all([first, ...rest]);
  expect(counts.messages - before.messages).toBe(61);
  // 60 messages of about 20,000 characters, their HTML included.
  expect(counts.batches - before.batches).toBeGreaterThanOrEqual(4);
});

describe("while the database stands still, messages wait", () => {
  /** Messages to a topic that exists, so that all of them go by batches. */
  async function sender(name: string) {
    const { viewer } = harness.user("dev");
    await harness.channel(name, ["dev"]);
    const say = (content: string) =>
      sendMessage(viewer, {
        to: { kind: "channel", channel: { name }, topic: "soup" },
        content,
        localEcho: null,
        readBySender: null,
      });
    await say("The first message of the topic goes alone.");
    return say;
  }

  test("so long, and then are refused and never written", async () => {
    const say = await sender("a long wait");
    const add = vi.spyOn(batcherOf(harness.state), "add");
    const release = await holdLog(harness.state);
    const first = say("in time");
    await untilWaiting(harness.state.database, 1);
    const late = expect(say("too late")).rejects.toThrow(new ServerBusy("the message waited too long"));
    await until(() => add.mock.calls.length === 2);
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 11_000);
    await release();
    await late;
    clock.mockRestore();
    await first;
    const after = await say("after that");
    const { messages } = await expectSuccess(
      harness
        .as("dev")
        .get("/messages", { anchor: after, num_before: 3, num_after: 0, apply_markdown: false }),
    );
    expect(messages.slice(-3).map(({ content }: { content: string }) => content)).toEqual([
      "The first message of the topic goes alone.",
      "in time",
      "after that",
    ]);
  });

  test("up to a number, and more are refused at once", async () => {
    const say = await sender("a long queue");
    const batcher = batcherOf(harness.state);
    const add = vi.spyOn(batcher, "add");
    const release = await holdLog(harness.state);
    const first = say("first");
    await untilWaiting(harness.state.database, 1);
    const [message] = add.mock.calls[0] as Parameters<typeof batcher.add>;
    const failed: unknown[] = [];
    let written = 0;
    const check = () => message;
    for (let count = 0; count < MAX_WAITING; count++) {
      batcher.add(message, { check, sent: () => written++, failed: (error) => failed.push(error) });
    }
    const answer = await harness
      .as("dev")
      .post("/messages", { type: "channel", to: "a long queue", topic: "soup", content: "one more" });
    expect(answer.status).toBe(503);
    await release();
    await first;
    await until(() => written + failed.length === MAX_WAITING);
    expect(failed).toEqual([]);
    await say("last");
  });
});
