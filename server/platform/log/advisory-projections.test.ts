import { afterAll, beforeAll, expect, test } from "vitest";
import type { TopicId, UserId } from "../../../api/ids.ts";
import { createWorld, type World } from "../../../test/harness/harness.ts";
import { type UserTopicsPatch, userTopics } from "../../features/user-topics/topic-policies.ts";
import { changeContent } from "./change.ts";
import { nobody } from "./log-entry.ts";
import { OrganizationState } from "./organization-state.ts";
import { readHeads } from "./store.ts";

let w: World;
beforeAll(async () => {
  w = await createWorld();
});
afterAll(() => w.close());

const topicId = 7 as TopicId;

function remember(userId: UserId): Promise<void> {
  const patch: UserTopicsPatch = [{ userId, topicId, policy: 3 }];
  return changeContent(w.state, async (tx) => {
    tx.append({ type: "test_note" }, nobody, { [userTopics.name]: patch });
  });
}

test("a change of advisory memory makes nobody check anything again, and reaches every node", async () => {
  const userId = w.user("dev").user.id;
  const there = await OrganizationState.load(w.state.database, w.state.organizationId, w.state.parts);
  for (const state of [w.state, there]) await state.get(userTopics).load(state, [userId]);
  const before = await readHeads(w.state.database, w.state.organizationId);
  let tries = 0;
  await changeContent(w.state, async (tx) => {
    tries++;
    await remember(userId);
    tx.append({ type: "test_note" }, nobody);
  });
  expect(tries).toBe(1);
  await there.catchUp();
  const after = await readHeads(w.state.database, w.state.organizationId);
  expect(after).toEqual({ head: before.head + 2, stateHead: before.stateHead });
  for (const state of [w.state, there]) {
    expect(state.get(userTopics).of(userId)?.get(topicId)).toBe(3);
    expect(state.stateHead).toBe(before.stateHead);
  }
});

test("a change of other memory in the same event still does", async () => {
  let tries = 0;
  await changeContent(w.state, async (tx) => {
    tries++;
    if (tries === 1) {
      await changeContent(w.state, async (inner) => {
        inner.append({ type: "test_note" }, nobody, { [userTopics.name]: [], recipients: [] });
      });
    }
    tx.append({ type: "test_note" }, nobody);
  });
  expect(tries).toBe(2);
});
