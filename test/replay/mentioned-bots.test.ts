import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queuesOf } from "../../server/platform/queues/organization-queues.ts";
import { expectSuccess, sayIn } from "../harness/answers.ts";
import { eventNames, everybody, expectSilence, followAll } from "../harness/follow.ts";
import { createHarness, type Harness } from "../harness/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("square", ["ada", "dev"]);
  await harness.channel("leads", ["ada"], { isPrivate: true });
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const call = (to: string, content = "@**Echo Bot** help") => say("ada", to, { content });
const aboutMessages = ({ type }: { type: string }) => type.includes("message");

const mentionsOfEcho = async (): Promise<number[]> => {
  const params = { anchor: "newest", num_before: 10, num_after: 0, narrow: [["is", "mentioned"]] };
  const { messages } = await expectSuccess(harness.as("echo").get("/messages", params));
  return messages.map(({ id }: { id: number }) => id);
};

describe("a bot that is mentioned by name", () => {
  test("receives and finds the message in a public channel without a subscription", async () => {
    let id = 0;
    const heard = await followAll(harness, everybody, async () => {
      id = await call("square");
    });
    const flags = ["read", "mentioned", "historical"];
    expect(heard.echo).toMatchObject([{ type: "message", message: { id }, flags }]);
    expect(eventNames(heard.elin)).toEqual([]);
    expect(await mentionsOfEcho()).toEqual([id]);
    const { message } = await expectSuccess(harness.as("echo").get(`/messages/${id}`));
    expect(message.flags).toEqual(flags);
  });

  test("receives the message also when its queue is read again from the log", async () => {
    const { queue_id, last_event_id } = await expectSuccess(
      harness.as("echo").post("/register", { event_types: ["message"] }),
    );
    const queue = queuesOf(harness.state).byId.get(queue_id);
    if (!queue) throw new Error("there is no such queue");
    queue.isCold = true;
    const ids = [await call("square"), await call("leads"), await call("square")];
    harness.state.recent.clear();
    const poll = { queue_id, last_event_id, dont_block: true };
    const { events } = await expectSuccess(harness.as("echo").get("/events", poll));
    expect(events.map((event: { message: { id: number } }) => event.message.id)).toEqual([ids[0], ids[2]]);
  });

  test("gets each edit of the message, with the flag for a mention only while it is mentioned", async () => {
    const id = await call("square");
    const edit = (content: string) => () => harness.as("ada").patch(`/messages/${id}`, { content });
    const kept = await followAll(harness, ["echo"], edit("@**Echo Bot** help, please"));
    expect(kept.echo).toMatchObject([{ type: "update_message", flags: ["read", "mentioned", "historical"] }]);
    const left = await followAll(harness, ["echo"], edit("never mind"));
    expect(left.echo).toMatchObject([{ type: "update_message", flags: ["read", "historical"] }]);
    expect(await mentionsOfEcho()).not.toContain(id);
    const called = await followAll(harness, ["echo"], edit("@**Echo Bot** after all"));
    expect(called.echo).toMatchObject([
      { type: "update_message", flags: ["read", "mentioned", "historical"] },
    ]);
  });

  test("gets no event in a private channel without a subscription, or for a silent mention", async () => {
    const silence = { hears: "ada", silent: ["echo"] } as const;
    await expectSilence(harness, silence, () => call("leads"), aboutMessages);
    await expectSilence(harness, silence, () => call("square", "@_**Echo Bot** has helped"), aboutMessages);
  });
});

test("a person who is mentioned in a public channel without a subscription gets no event", () =>
  expectSilence(
    harness,
    { hears: "ada", silent: ["elin"] },
    () => call("square", "@**Elin Berg** help"),
    aboutMessages,
  ));
