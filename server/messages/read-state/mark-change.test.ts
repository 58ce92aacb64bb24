/** Marks as read that share transactions: what happens when others do something at the same moment. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TopicId } from "../../../api/ids.ts";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { Node } from "../../../test/harness/node.ts";
import { untilWaiting } from "../../../test/harness/waiting.ts";
import { type User, users } from "../../people/user.ts";
import { changeContent } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { sql } from "../../platform/db/sql.ts";
import { EventList } from "../../platform/log/event-list.ts";
import { HeldRows } from "../../platform/log/grouped-change.ts";
import { deleteMessage } from "../delete/delete.ts";
import { changeFlags } from "../flags/actions.ts";
import { MAX_PIECES } from "./bound-store.ts";
import type { FoundMark } from "./grouped-store.ts";
import { markAsRead } from "./mark.ts";
import { markChange } from "./mark-change.ts";
import { lockPlaces, SharedPlaces } from "./read-state-lock.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev", "gus"]);
});
afterAll(() => harness.close());

const say = sayIn(() => harness);
const read = (viewer: Viewer, messageIds: number[]) =>
  changeFlags(viewer, { op: "add", flag: "read", messageIds });

async function sayMany(count: number, topic = "lunch"): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) ids.push(await say("ada", "kitchen", { topic }));
  return ids;
}

test("what one person marks on two nodes at once is announced and answered once", async () => {
  const node = await Node.start(harness.services.config, harness.state.database.connection);
  const { viewer } = harness.user("dev");
  const user = node.state.get(users).byId.get(viewer.user.id) as User;
  const other: Viewer = { ...viewer, state: node.state, user };
  const ids = await sayMany(12);
  const dev = await listen(harness.as("dev"), { event_types: ["update_message_flags"] });
  const gus = await listen(harness.as("gus"), { event_types: ["update_message_flags"] });
  const asked = ids.flatMap((id, index) => [
    read(viewer, [id, ids[index + 1] ?? id]),
    read(other, [id, ids[index - 1] ?? id]),
  ]);
  const answers = (await Promise.all(asked)).flatMap(({ messageIds }) => messageIds);
  await harness.state.catchUp();
  expect([...answers].sort((a, b) => a - b)).toEqual(ids);
  const heard = await dev.heard();
  expect(heard.flatMap(({ messages }) => messages).sort((a, b) => a - b)).toEqual(ids);
  expect(heard.every(({ op, flag, all }) => op === "add" && flag === "read" && all === false)).toBe(true);
  expect(await gus.heard()).toEqual([]);
  await node.stop();
});

test("a mark that waits for a move holds up nobody else's mark", async () => {
  const [held] = (await sayMany(1, "held")) as [number];
  const [free] = (await sayMany(1, "free")) as [number];
  const { database, organizationId } = harness.state;
  let waiting: Promise<unknown> | undefined;
  await database.transaction(async (tx) => {
    const [row] = await tx.query<{ topicId: TopicId }>(sql`
      select topic_id as "topicId" from messages where organization_id = ${organizationId} and id = ${held}`);
    await lockPlaces(tx, organizationId, [(row as { topicId: TopicId }).topicId]);
    waiting = read(harness.user("dev").viewer, [held]);
    await untilWaiting(database, 1);
    expect(await read(harness.user("gus").viewer, [free])).toMatchObject({ messageIds: [free] });
  });
  expect(await waiting).toMatchObject({ messageIds: [held] });
});

test("a mark in a group and one that is made alone don't wait for each other's rows", async () => {
  const { viewer } = harness.user("dev");
  const ids = await sayMany(3, "dinner");
  const [first, second, third] = ids as [number, number, number];
  let waiting: Promise<{ messageIds: number[] }> | undefined;
  await changeContent(viewer, async (tx) => {
    await markAsRead(tx, [first, second]);
    waiting = read(viewer, [second, third]);
    // By then it was tried a few times, and waits without having written anything.
    await untilWaiting(harness.state.database, 1);
  });
  expect((await waiting)?.messageIds).toEqual([third]);
});

test("a message that is deleted while it is marked does no harm to the others", async () => {
  const ids = await sayMany(2);
  let waiting: Promise<unknown> | undefined;
  await changeContent(harness.user("ada").viewer, async (tx) => {
    await deleteMessage(tx, ids[0] as number);
    waiting = read(harness.user("dev").viewer, ids);
    await waiting;
  });
  expect(await read(harness.user("dev").viewer, ids)).toMatchObject({ messageIds: [] });
  const { message } = await expectSuccess(harness.as("dev").get(`/messages/${ids[1]}`));
  expect(message.flags).toContain("read");
});

test("a message that moved away before its place was held is tried again", async () => {
  const { viewer } = harness.user("dev");
  const found = {
    number: 0,
    id: 7,
    recipientId: [...harness.state.get(users).byId.keys()][0],
    userIds: [viewer.user.id],
    topicId: 5,
  } as unknown as FoundMark;
  const decide = (places: number[]) => () =>
    markChange.decide(
      { viewer, messageIds: [7] },
      [found],
      { places: new SharedPlaces(places), counts: new Map() },
      new EventList(harness.state.parts),
    );
  expect(decide([])).toThrow(HeldRows);
  expect(decide([6])).toThrow(HeldRows);
  expect(decide([5])).not.toThrow();
});

test("a row that might grow too large is written alone, and its oldest gaps count as read", async () => {
  const [unread, marked] = (await sayMany(2, "long")) as [number, number];
  const { database, organizationId } = harness.state;
  const userId = harness.user("gus").id;
  // As many ranges as a row may have, far above all messages and apart from each other.
  await database.query(sql`
    insert into topic_read_states (organization_id, user_id, channel_id, topic_id, ranges)
    select ${organizationId}, ${userId}, recipient_id, topic_id, (
      select range_agg(int8range(at, at, '[]')) from generate_series(1000000, ${1_000_000 + 2 * MAX_PIECES}, 2) as at)
    from messages where organization_id = ${organizationId} and id = ${marked}`);
  const { messageIds } = await read(harness.user("gus").viewer, [marked]);
  expect(messageIds).toContain(marked);
  const [row] = await database.query<{ pieces: number }>(sql`
    select (select count(*) from unnest(ranges)) as pieces from topic_read_states
    where organization_id = ${organizationId} and user_id = ${userId}
      and topic_id = (select topic_id from messages where organization_id = ${organizationId} and id = ${unread})`);
  expect(row?.pieces).toBeLessThan(MAX_PIECES);
});
