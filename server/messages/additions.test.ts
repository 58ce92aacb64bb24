/** What people add to one message at the same moment. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../test/harness/harness.ts";
import { listen } from "../../test/harness/listener.ts";
import { untilWaiting } from "../../test/harness/waiting.ts";
import { changeContent, type ViewerChange } from "../people/viewer/change.ts";
import { changeAdditions } from "./change-additions.ts";
import { addSubmessage } from "./polls/actions.ts";
import { addReaction } from "./reactions/actions.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev", "gus"]);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);

/** Runs `first` in a transaction that stays open until `second`, a request, has ended or waits for it. */
async function whileOpen(first: (tx: ViewerChange) => Promise<void>, second: () => Promise<unknown>) {
  let answer: Promise<unknown> | undefined;
  await changeContent(harness.user("dev").viewer, async (tx) => {
    await first(tx);
    answer = second();
    await untilWaiting(harness.state.database, 1, answer);
  });
  await answer;
}

test("reactions at the same moment have one order, in events and in the message", async () => {
  const id = await say("ada", "kitchen");
  const listener = await listen(harness.as("ada"), { event_types: ["reaction"] });
  await whileOpen(
    (tx) => addReaction(tx, id, { name: "octopus", code: undefined, type: undefined }),
    () => expectSuccess(harness.as("gus").post(`/messages/${id}/reactions`, { emoji_name: "tada" })),
  );
  const announced = (await listener.heard()).map(({ emoji_name }) => emoji_name);
  const { message } = await expectSuccess(harness.as("ada").get(`/messages/${id}`));
  expect(message.reactions.map(({ emoji_name }: { emoji_name: string }) => emoji_name)).toEqual(announced);
  expect(announced).toHaveLength(2);
});

test("votes at the same moment have one order, in events and in the message", async () => {
  const id = await say("ada", "kitchen", { content: "/poll Soup?\nleek\npea" });
  const listener = await listen(harness.as("ada"), { event_types: ["submessage"] });
  const vote = (key: string) => ({ type: "vote", key, vote: 1 }) as const;
  await whileOpen(
    (tx) => addSubmessage(tx, id, vote("canned,0")),
    () =>
      expectSuccess(
        harness.as("gus").post("/submessage", {
          message_id: id,
          msg_type: "widget",
          content: JSON.stringify(vote("canned,1")),
        }),
      ),
  );
  const announced = (await listener.heard()).map(({ submessage_id }) => submessage_id);
  const { message } = await expectSuccess(harness.as("ada").get(`/messages/${id}`));
  expect(message.submessages.slice(1).map(({ id: submessage }: { id: number }) => submessage)).toEqual(
    announced,
  );
  expect(announced).toHaveLength(2);
});

test("additions that wait for others of their message leave the database to everybody else", async () => {
  const id = await say("ada", "kitchen");
  const other = await say("ada", "kitchen");
  const emoji = ["tada", "heart", "star", "tomato", "cookie", "cake", "tea", "coffee"];
  let waiting: Promise<unknown>[] = [];
  await changeAdditions(harness.user("dev").viewer, id, async (tx) => {
    await addReaction(tx, id, { name: "octopus", code: undefined, type: undefined });
    waiting = emoji.map((emoji_name) =>
      expectSuccess(harness.as("gus").post(`/messages/${id}/reactions`, { emoji_name })),
    );
    await expectSuccess(harness.as("gus").post(`/messages/${other}/reactions`, { emoji_name: "tada" }));
    await expectSuccess(harness.as("ada").patch(`/messages/${other}`, { content: "Soup!" }));
  });
  await Promise.all(waiting);
  const { message } = await expectSuccess(harness.as("ada").get(`/messages/${id}`));
  expect(message.reactions).toHaveLength(emoji.length + 1);
});
