import { describe, expect, test } from "vitest";
import type { Position } from "../../../api/ids.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { useSearchIndex } from "../../../test/harness/search-index.ts";
import { advanceHeads } from "../../platform/log/store.ts";
import { findCursor, listBehind } from "./cursor-store.ts";
import { SearchFollower } from "./follower.ts";
import { followLog, indexAll } from "./index-messages.ts";
import { readSearchLag } from "./lag.ts";

const { harness, database, organizationId, cursor, say, importCopies, makeGap } = await useSearchIndex();

// The person who begins a topic follows it, which is a second entry in the log.
await say("rhubarb");

test("the follower knows how far the index is behind, and says once when that is far", async () => {
  const warnings: string[] = [];
  const log = { warn: (sentence: string) => void warnings.push(sentence) };
  const follower = new SearchFollower({ ...harness.services, log }, () => {});
  expect((await readSearchLag(database)).byOrganization.get(organizationId)).toBeUndefined();
  const seed = await say("okra");
  expect((await readSearchLag(database)).byOrganization.get(organizationId)).toBe(1);
  const { last } = await importCopies(seed, 12_000);
  await makeGap(seed, last);
  const lag = await readSearchLag(database);
  expect(lag.byOrganization.get(organizationId)).toBeGreaterThanOrEqual(12_000);
  expect(lag.total).toBeGreaterThanOrEqual(12_000);
  follower.start();
  await expect.poll(() => warnings).toHaveLength(1);
  await follower.stop();
  expect(warnings[0]).toMatch(/^The search index is 1\d,?\d{3} log entries behind\./);
});

describe("an organization at rest, whose clients get heartbeats,", () => {
  const beat = async () => {
    const head = (await advanceHeads(database, [organizationId])).get(organizationId);
    await harness.state.headMoved(head as Position);
  };

  test("is not behind before it has an entry", async () => {
    await beat();
    expect(await listBehind(database)).not.toContain(organizationId);
    expect((await readSearchLag(database)).byOrganization.get(organizationId)).toBeUndefined();
    const id = await say("fennel");
    expect(await listBehind(database)).toContain(organizationId);
    await indexAll(database, organizationId);
    await expectSuccess(harness.as("dev").post(`/messages/${id}/reactions`, { emoji_name: "tada" }));
    expect(await listBehind(database)).toContain(organizationId);
  });

  test("costs the follower nothing", async () => {
    const follower = new SearchFollower(harness.services, () => {});
    // It looks at all organizations in turn, so one that got a message shows that it did.
    const look = async () => {
      const zed = { type: "direct", to: [harness.user("zed").id], content: "fennel" };
      const { id } = await expectSuccess(harness.as("zed").post("/messages", zed));
      const other = harness.otherState.organizationId;
      await expect
        .poll(async () => (await findCursor(database, other))?.followedTo)
        .toBeGreaterThanOrEqual(id);
    };
    follower.start();
    try {
      await look();
      const before = await cursor();
      await beat();
      await look();
      expect((await cursor())?.followedTo).toBe(before?.followedTo);
      const id = await say("fennel");
      await look();
      await expect.poll(async () => (await cursor())?.followedTo).toBeGreaterThanOrEqual(id);
    } finally {
      await follower.stop();
    }
  });
});

test("small organizations share a transaction, and a large one does not hold them up", async () => {
  const other = harness.otherState.organizationId;
  await indexAll(database, other);
  const zed = { type: "direct", to: [harness.user("zed").id], content: "turnip" };
  await expectSuccess(harness.as("zed").post("/messages", zed));
  const seed = await say("turnip");
  const both = await followLog(database, [organizationId, other]);
  expect(both).toMatchObject({ reached: [organizationId, other], taken: [organizationId, other] });
  await importCopies(seed, 600);
  await expectSuccess(harness.as("zed").post("/messages", zed));
  expect(await followLog(database, [organizationId, other])).toMatchObject({ taken: [organizationId] });
  expect(await followLog(database, [other])).toMatchObject({ reached: [other] });
});
