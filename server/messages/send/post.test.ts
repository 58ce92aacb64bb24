import { afterAll, beforeAll, expect, test } from "vitest";
import { eventNames, follow, forms } from "../../../test/harness/follow.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import type { Channel } from "../../channels/channel.ts";
import { createChannel } from "../../channels/create/create.ts";
import { subscribe } from "../../channels/subscriptions/subscribe.ts";
import { changeState } from "../../people/viewer/change.ts";
import { type Change, runContentChange, runStateChange } from "../../platform/log/change.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";
import { postMessage, postMessages } from "./post.ts";

let harness: Harness;
let kitchen: Channel;
beforeAll(async () => {
  harness = await createHarness();
  kitchen = await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness.close());

const post = (content: string) => (tx: Change) =>
  postMessage(tx, { to: { channel: kitchen, topic: "lunch" }, content });

test("a message that a change posts comes after the change's own events", async () => {
  const { viewer, user } = harness.user("dev");
  const heard = await follow(harness, "dev", () =>
    changeState(viewer, async (tx) => {
      const channel = await createChannel(tx, { name: "cellar", isPrivate: true });
      await postMessage(tx, {
        to: { channel, topic: "first" },
        content: "#**cellar**",
        changedChannels: [channel],
      });
      await subscribe(tx, [channel], [user]);
    }),
  );
  expect(eventNames(heard)).toEqual(["stream/create", "subscription/add", "message"]);
  const [, , { message }] = heard as [unknown, unknown, { message: { content: string } }];
  expect(message.content).toContain(">#cellar</a>");
});

test("messages of one change keep their order and go where they are meant to go", async () => {
  const heard = await follow(harness, "dev", () =>
    runContentChange(harness.state, (tx) =>
      postMessages(tx, [
        { to: { channel: kitchen, topic: "lunch" }, content: "one" },
        { to: { userIds: [harness.user("dev").user.id] }, content: "two" },
        { to: { userIds: [harness.user("elin").user.id] }, content: "not for dev" },
        { to: { channel: kitchen, topic: "LUNCH" }, content: "three", sender: harness.user("echo").user },
      ]),
    ),
  );
  const messages = heard.map(({ message }) => message as Record<string, unknown>);
  expect(messages.map(({ content, type, subject }) => [content, type, subject])).toEqual([
    ["<p>one</p>", "stream", "lunch"],
    ["<p>two</p>", "private", ""],
    ["<p>three</p>", "stream", "lunch"],
  ]);
  expect(messages.map(({ sender_full_name }) => sender_full_name)).toEqual([
    "Notification Bot",
    "Notification Bot",
    "Echo Bot",
  ]);
});

test("a mention reaches a subscriber, and nobody else", async () => {
  const content = "@**Dev Rao** and @**Elin Berg**, look";
  const all = { forms: [forms.modern, forms.plain, forms.partial] };
  const [event] = await follow(harness, "dev", () => runStateChange(harness.state, post(content)), all);
  expect(event?.flags).toEqual(["mentioned"]);
  const { body } = await harness.as("elin").get(`/messages/${(event as { id: number }).id}`);
  expect(body.message.flags).not.toContain("mentioned");
});

test("nothing is posted when the change fails", async () => {
  const count = async () => {
    const narrow = [{ operator: "channel", operand: "kitchen" }];
    const { body } = await harness
      .as("ada")
      .get("/messages", { anchor: "newest", num_before: 99, num_after: 0, narrow });
    return body.messages.length;
  };
  const before = await count();
  const change = runStateChange(harness.state, async (tx) => {
    await post("soup")(tx);
    throw new Error("no");
  });
  await expect(change).rejects.toThrow("no");
  expect(await count()).toBe(before);
});

test("a queue that is read from the log again gets what was posted", async () => {
  const { body } = await harness.as("dev").post("/register", { event_types: ["message"] });
  const queue = queuesOf(harness.state).byId.get(body.queue_id);
  if (!queue) throw new Error("there is no such queue");
  queue.isCold = true;
  await runStateChange(harness.state, post("soup"));
  const params = { queue_id: body.queue_id, last_event_id: body.last_event_id, dont_block: true };
  const { body: answer } = await harness.as("dev").get("/events", params);
  expect(answer.events.map(({ message }: { message: { content: string } }) => message.content)).toEqual([
    "soup",
  ]);
});
