import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { subscribe } from "../../channels/subscriptions/subscribe.ts";
import { runStateChange } from "../../platform/log/change.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "ben"]);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);

/** The notice in the new topic about messages from the old one, as the subscriber ben reads it. */
async function noticeAfterMove(id: number, topic: string, propagate_mode: string): Promise<string> {
  await expectSuccess(harness.as("ada").patch(`/messages/${id}`, { topic, propagate_mode }));
  const narrow = [{ operator: "topic", operand: topic }];
  const { messages } = await expectSuccess(
    harness.as("ben").get("/messages", { anchor: "newest", num_before: 1, num_after: 0, narrow }),
  );
  return messages[0].content.replace(/<[^>]+>/g, "").replace(/^.* moved (.*) here from .*$/, "$1");
}

describe("the notice of a move says whether messages stayed in the topic", () => {
  test.each([
    ["the only one, alone", 1, 0, "change_one", "this topic"],
    ["the first, alone", 3, 0, "change_one", "a message"],
    ["one in the middle, alone", 3, 1, "change_one", "a message"],
    ["the last, alone", 3, 2, "change_one", "a message"],
    ["the first and what came later", 3, 0, "change_later", "this topic"],
    ["one in the middle and what came later", 3, 1, "change_later", "2 messages"],
    ["the last and what came later", 3, 2, "change_later", "a message"],
    ["all, by the last", 3, 2, "change_all", "this topic"],
  ])("%s", async (title, count, named, mode, expected) => {
    const ids: number[] = [];
    for (let n = 0; n < count; n++) ids.push(await say("ben", "kitchen", { topic: `old: ${title}` }));
    expect(await noticeAfterMove(ids[named] as number, `new: ${title}`, mode)).toBe(expected);
  });

  test("messages that the mover can't read stay in the topic", async () => {
    const vault = await harness.channel("vault", ["ben"], { isPrivate: true, isHistoryShared: false });
    await say("ben", "vault", { topic: "codes" });
    const { user } = harness.user("ada");
    await runStateChange(harness.state, (tx) => subscribe(tx, [vault], [user]));
    const later = await say("ben", "vault", { topic: "codes" });
    expect(await noticeAfterMove(later, "keys", "change_all")).toBe("a message");
  });
});
