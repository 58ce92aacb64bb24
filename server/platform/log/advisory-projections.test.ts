import { afterAll, beforeAll, expect, test } from "vitest";
import type { TopicId, UserId } from "../../../api/ids.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { type UserTopicsPatch, userTopics } from "../../attention/user-topics/topic-policies.ts";
import { runContentChange } from "./change.ts";
import { nobody } from "./log-entry.ts";
import { OrganizationState } from "./organization-state.ts";
import { readHeads } from "./store.ts";
import { storedEvent } from "./stored-event.ts";

const testNote = storedEvent<object>()({ type: "test_note", op: undefined });

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const topicId = 7 as TopicId;

function remember(userId: UserId): Promise<void> {
  const patch: UserTopicsPatch = [{ userId, topicId, policy: 3 }];
  return runContentChange(harness.state, async (tx) => {
    tx.append(testNote, {}, nobody, { [userTopics.name]: patch });
  });
}

test("a change of an advisory projection makes no other change run again, and reaches every node", async () => {
  const userId = harness.user("dev").user.id;
  const there = await OrganizationState.load(
    harness.state.database,
    harness.state.organizationId,
    harness.state.parts,
  );
  for (const state of [harness.state, there]) await state.get(userTopics).load(state, [userId]);
  const before = await readHeads(harness.state.database, harness.state.organizationId);
  let tries = 0;
  await runContentChange(harness.state, async (tx) => {
    tries++;
    await remember(userId);
    tx.append(testNote, {}, nobody);
  });
  expect(tries).toBe(1);
  await there.catchUp();
  const after = await readHeads(harness.state.database, harness.state.organizationId);
  expect(after).toMatchObject({ head: before.head + 2, stateHead: before.stateHead });
  for (const state of [harness.state, there]) {
    expect(state.get(userTopics).of(userId)?.get(topicId)).toBe(3);
    expect(state.stateHead).toBe(before.stateHead);
  }
});

test("an event that also changes another projection makes other changes run again", async () => {
  let tries = 0;
  await runContentChange(harness.state, async (tx) => {
    tries++;
    if (tries === 1) {
      await runContentChange(harness.state, async (inner) => {
        inner.append(testNote, {}, nobody, { [userTopics.name]: [], recipients: [] });
      });
    }
    tx.append(testNote, {}, nobody);
  });
  expect(tries).toBe(2);
});
