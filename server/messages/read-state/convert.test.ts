import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import { convertReadStates } from "./convert.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness?.close());

const say = sayIn(() => harness);

test("a job takes long rows of an older release apart, and nothing is read or unread by that", async () => {
  const { id: channelId } = await harness.channel("kitchen", ["ada", "dev"]);
  const ids: number[] = [];
  for (let n = 0; n < 24; n++)
    ids.push(await say("ada", channelId, { topic: n % 2 === 0 ? "soup" : "bread" }));
  const { database, organizationId } = harness.state;
  const userId = harness.user("dev").id;
  const read = ids.filter((_, index) => index % 2 === 0 || index === 3);
  await database.query(sql`
    insert into read_states (organization_id, user_id, recipient_id, ranges)
    select ${organizationId}, ${userId}, ${channelId}, range_agg(int8range(id, id, '[]'))
    from unnest(${read}::bigint[]) as id`);
  await database.query(sql`
    insert into old_read_states (organization_id, user_id, channel_id)
    values (${organizationId}, ${userId}, ${channelId})`);
  const unread = async () => {
    const page = { narrow: [["is", "unread"]], anchor: "oldest", num_before: 0, num_after: 100 };
    const { messages } = await expectSuccess(harness.as("dev").get("/messages", page));
    return messages.map(({ id }: { id: number }) => id);
  };
  const expected = ids.filter((id) => !read.includes(id));
  expect(await unread()).toEqual(expected);
  const run = { signal: new AbortController().signal, dueAt: new Date() };
  await convertReadStates.run(harness.services, {}, run);
  expect(await unread()).toEqual(expected);
  const [row] = await database.query<{ ranges: number; topics: number; left: number }>(sql`
    select (select count(*)::int from read_states r, unnest(r.ranges) where r.user_id = ${userId}
        and r.recipient_id = ${channelId}) as ranges,
      (select count(*)::int from topic_read_states where user_id = ${userId}) as topics,
      (select count(*)::int from old_read_states) as left`);
  expect(row).toEqual({ ranges: 1, topics: 2, left: 0 });
});

test("what was marked as unread in an older release and read since stays read when the floor rises", async () => {
  const { id: channelId } = await harness.channel("garden", ["ada"]);
  const early = await say("ada", channelId, { topic: "soup" });
  await expectSuccess(
    harness.as("elin").post("/users/me/subscriptions", { subscriptions: [{ name: "garden" }] }),
  );
  const { database, organizationId } = harness.state;
  await database.query(sql`
    insert into read_states (organization_id, user_id, recipient_id, ranges, marked_unread)
    values (${organizationId}, ${harness.user("elin").id}, ${channelId}, '{}',
      int8multirange(int8range(${early}, ${early}, '[]')))`);
  const show = async () => (await expectSuccess(harness.as("elin").get(`/messages/${early}`))).message.flags;
  expect(await show()).not.toContain("read");
  const read = (id: number) =>
    expectSuccess(harness.as("elin").post("/messages/flags", { messages: [id], op: "add", flag: "read" }));
  expect((await read(early)).messages).toEqual([early]);
  await read(await say("ada", channelId, { topic: "soup" }));
  expect(await show()).toContain("read");
});
