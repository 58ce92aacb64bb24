import { afterAll, beforeAll, expect, test } from "vitest";
import type { TopicId, UserId } from "../../../api/ids.ts";
import { createWorld, type World } from "../../../test/harness/harness.ts";
import { type PoliciesPatch, policiesInMemory } from "../../features/user-topics/topic-policies.ts";
import { changeContent } from "./change.ts";
import { nobody } from "./log-entry.ts";
import { Live } from "./organization-state.ts";
import { readHeads } from "./store.ts";

let w: World;
beforeAll(async () => {
  w = await createWorld();
});
afterAll(() => w.close());

const topicId = 7 as TopicId;

function remember(userId: UserId): Promise<void> {
  const patch: PoliciesPatch = [{ userId, topicId, policy: 3 }];
  return changeContent(w.live, async (tx) => {
    tx.append({ type: "test_note" }, nobody, { [policiesInMemory.name]: patch });
  });
}

test("a change of advisory memory makes nobody check anything again, and reaches every node", async () => {
  const userId = w.user("dev").user.id;
  const there = await Live.load(w.live.database, w.live.organizationId, w.live.parts);
  for (const live of [w.live, there]) await live.get(policiesInMemory).load(live, [userId]);
  const before = await readHeads(w.live.database, w.live.organizationId);
  let tries = 0;
  await changeContent(w.live, async (tx) => {
    tries++;
    await remember(userId);
    tx.append({ type: "test_note" }, nobody);
  });
  expect(tries).toBe(1);
  await there.catchUp();
  const after = await readHeads(w.live.database, w.live.organizationId);
  expect(after).toEqual({ head: before.head + 2, stateHead: before.stateHead });
  for (const live of [w.live, there]) {
    expect(live.get(policiesInMemory).of(userId)?.get(topicId)).toBe(3);
    expect(live.stateHead).toBe(before.stateHead);
  }
});

test("a change of other memory in the same event still does", async () => {
  let tries = 0;
  await changeContent(w.live, async (tx) => {
    tries++;
    if (tries === 1) {
      await changeContent(w.live, async (inner) => {
        inner.append({ type: "test_note" }, nobody, { [policiesInMemory.name]: [], recipients: [] });
      });
    }
    tx.append({ type: "test_note" }, nobody);
  });
  expect(tries).toBe(2);
});
