import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { OrganizationId } from "../../../api/ids.ts";
import { type CastName, createWorld, type World } from "../../../test/harness/harness.ts";
import { Node } from "../../../test/harness/node.ts";
import { sql } from "../../platform/db/sql.ts";
import { runDueJobs } from "../../platform/jobs/run-due-jobs.ts";
import { changeContent } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import type { Channel } from "../channels/channel.ts";
import { deleteMessages } from "../messages/delete/delete.ts";
import { expireMessages, expireMessagesOf } from "./expire.ts";
import { listExpiredMessages, listExpiringOrganizations } from "./store.ts";

const DAY_MS = 24 * 3600 * 1000;
const BATCH = 200;

let w: World;
let channel: Channel;
let channels = 0;

beforeAll(async () => {
  w = await createWorld();
});
afterAll(() => w.close());

beforeEach(async () => {
  channels++;
  channel = await w.channel(`week ${channels}`, ["dev", "elin"], { messageRetentionDays: 7 });
});

async function say(name: CastName, to: Channel, topic = "lunch"): Promise<number> {
  const message = { type: "channel", to: to.name, topic, content: "Soup today?" };
  const { status, body } = await w.as(name).post("/messages", message);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

async function tell(name: CastName, to: CastName[]): Promise<number> {
  const message = { type: "direct", to: to.map((each) => w.user(each).id), content: "Soup?" };
  const { status, body } = await w.as(name).post("/messages", message);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

async function keep(days: number | "unlimited"): Promise<void> {
  const { status, body } = await w.as("ada").patch("/realm", { message_retention_days: days });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** As if the messages had been sent so many days ago. */
async function age(ids: readonly number[], days: number): Promise<void> {
  await w.state.database.query(sql`
    update messages set sent_at = ${new Date(Date.now() - days * DAY_MS)}
    where organization_id = ${w.state.organizationId} and id = any(${ids}::bigint[])`);
}

let nextOldId = -1;

/** Messages of eight days ago. */
async function addOldMessages(count: number): Promise<void> {
  const { organizationId, database } = w.state;
  const [{ topicId } = { topicId: 0 }] = await database.query<{ topicId: number }>(sql`
    select topic_id as "topicId" from messages
    where organization_id = ${organizationId} and id = ${await say("dev", channel)}`);
  await database.query(sql`
    insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
      rendered_content)
    select ${organizationId}, ${nextOldId}::bigint - n, ${channel.id}, ${topicId}, ${w.user("dev").id}, 'test',
      now() - interval '8 days', 0, 'old', '<p>old</p>' from generate_series(1, ${count}::int) as n`);
  nextOldId -= count;
}

async function remaining(): Promise<number> {
  const [row] = await w.state.database.query<{ count: number }>(sql`
    select count(*)::int as count from messages
    where organization_id = ${w.state.organizationId} and recipient_id = ${channel.id}
      and sent_at < now() - interval '7 days'`);
  return row?.count as number;
}

async function areThere(ids: readonly number[]): Promise<boolean[]> {
  const rows = await w.state.database.query<{ id: number }>(sql`
    select id from messages where organization_id = ${w.state.organizationId} and id = any(${ids}::bigint[])`);
  const there = new Set(rows.map(({ id }) => id));
  return ids.map((id) => there.has(id));
}

interface Told {
  position: number;
  ids: number[];
}

/** What the log tells of deleted messages of this channel, without the entries for older clients. */
async function told(): Promise<Told[]> {
  return w.state.database.query(sql`
    select position, array(select jsonb_array_elements_text(payload -> 'message_ids')::bigint) as ids
    from events
    where organization_id = ${w.state.organizationId} and type = 'delete_message'
      and payload ? 'message_ids' and payload ->> 'stream_id' = ${String(channel.id)}::text
    order by position`);
}

const never = new AbortController().signal;

function run(services: Services, signal: AbortSignal = never): Promise<void> {
  const { organizationId } = w.state;
  return expireMessagesOf.run(services, { organizationId }, { signal, dueAt: new Date() });
}

/** The node's stop, or whatever `act` does, between two parts of the work. */
function afterParts(count: number, act: () => void): AbortSignal {
  let parts = 0;
  return { throwIfAborted: () => ++parts > count && act() } as unknown as AbortSignal;
}

const expire = async () => {
  await expireMessages.run(w.services, {}, { signal: never, dueAt: new Date() });
  await runDueJobs(w.services);
};

describe("how long messages are kept", () => {
  test("nothing is to be done for an organization that keeps everything", async () => {
    const looked = () => w.services.database.transaction(listExpiringOrganizations);
    expect(await looked()).toEqual([w.state.organizationId]);
    const { status } = await w.as("zed").patch("/realm", { message_retention_days: 30 });
    expect(status).toBe(200);
    expect((await looked()).sort()).toEqual([w.state.organizationId, w.otherState.organizationId].sort());
    await w.as("zed").patch("/realm", { message_retention_days: "unlimited" });
    expect(await looked()).toEqual([w.state.organizationId]);
  });

  test("a channel's own number of days wins over a shorter and a longer one of the organization", async () => {
    const month = await w.channel(`month ${channels}`, ["dev"], { messageRetentionDays: 30 });
    const inherits = await w.channel(`inherits ${channels}`, ["dev"]);
    const all = [channel, month, inherits];
    const sent = await Promise.all(all.map((each) => say("dev", each)));
    await age(sent, 20);
    await keep(25);
    await expire();
    expect(await areThere(sent)).toEqual([false, true, true]);
    await keep(3);
    await expire();
    expect(await areThere(sent)).toEqual([false, true, false]);
    await age(sent, 30.1);
    await expire();
    expect(await areThere(sent)).toEqual([false, false, false]);
    await keep("unlimited");
  });

  test("conversations of two and of many go by the organization alone, each told to its own people", async () => {
    const sent = [await tell("dev", ["elin"]), await tell("dev", ["ada", "gus"]), await tell("dev", ["dev"])];
    const fresh = await tell("elin", ["dev"]);
    await age(sent, 11);
    await expire();
    expect(await areThere(sent)).toEqual([true, true, true]);
    await keep(10);
    await expire();
    expect(await areThere([...sent, fresh])).toEqual([false, false, false, true]);
    const rows = await w.state.database.query<{ ids: number[]; userIds: number[] }>(sql`
      select array(select jsonb_array_elements_text(payload -> 'message_ids')::bigint) as ids,
        array(select jsonb_array_elements_text(audience -> 'userIds')::bigint) as "userIds"
      from events where organization_id = ${w.state.organizationId} and payload ->> 'message_type' = 'private'
      order by position`);
    const people = [["dev", "elin"], ["dev", "ada", "gus"], ["dev"]] as CastName[][];
    expect(rows.map(({ ids, userIds }) => [ids, userIds.sort()]).sort()).toEqual(
      sent.map((id, index) => [[id], people[index]?.map((each) => w.user(each).id).sort()]).sort(),
    );
    await keep("unlimited");
  });

  test("an archived channel's messages go too", async () => {
    const old = await say("dev", channel);
    await age([old], 8);
    const { status } = await w.as("ada").delete(`/streams/${channel.id}`);
    expect(status).toBe(200);
    await expire();
    expect(await areThere([old])).toEqual([false]);
  });
});

describe("work of many parts", () => {
  test("that a stop interrupts goes on in another run, and each message is told once", async () => {
    await addOldMessages(2 * BATCH + 30);
    const stopping = afterParts(2, () => {
      throw new Error("the node is stopping");
    });
    await expect(run(w.services, stopping)).rejects.toThrow("stopping");
    expect(await remaining()).toBe(30);
    await run(w.services);
    expect(await remaining()).toBe(0);
    const ids = (await told()).flatMap((each) => each.ids);
    expect([ids.length, new Set(ids).size]).toEqual([2 * BATCH + 30, 2 * BATCH + 30]);
  });

  test("that takes too long for one run is left to another, which is asked for at once", async () => {
    await addOldMessages(2 * BATCH);
    vi.useFakeTimers({ toFake: ["Date"] });
    const startedAt = Date.now();
    await run(
      w.services,
      afterParts(1, () => vi.setSystemTime(startedAt + 3600 * 1000)),
    );
    vi.useRealTimers();
    expect(await remaining()).toBe(BATCH);
    await runDueJobs(w.services);
    expect(await remaining()).toBe(0);
  });

  test("many conversations share a part", async () => {
    const pairs = (["ada", "ben", "cleo", "dev", "elin"] as const).flatMap((one, index, all) =>
      all.slice(index + 1).map((two) => [one, two] as const),
    );
    const sent = await Promise.all(pairs.map(([one, two]) => tell(one, [two, "gus"])));
    await age(sent, 50);
    await keep(40);
    let parts = 0;
    await run(w.services, { throwIfAborted: () => parts++ } as unknown as AbortSignal);
    expect(await areThere(sent)).toEqual(sent.map(() => false));
    expect(parts).toBe(1);
    await keep("unlimited");
  });

  test("is done once when two nodes do it at the same time", async () => {
    await addOldMessages(3 * BATCH);
    const other = await Node.start(w.services.config, w.services.database.connection, {
      organizationId: w.state.organizationId,
    });
    await Promise.all([run(w.services), run(other.services)]);
    await other.stop();
    expect(await remaining()).toBe(0);
    const ids = (await told()).flatMap((each) => each.ids);
    expect([ids.length, new Set(ids).size]).toEqual([3 * BATCH, 3 * BATCH]);
  });

  test("lets messages be sent between its parts", async () => {
    await addOldMessages(5 * BATCH);
    let isOver = false;
    const work = run(w.services).finally(() => {
      isOver = true;
    });
    const sent: number[] = [];
    while (!isOver) sent.push(await say("dev", channel));
    await work;
    const positions = (await told()).map(({ position }) => position);
    expect(positions).toHaveLength(5);
    const gaps = positions.slice(1).map((end, index) => ({ start: positions[index] as number, end }));
    for (const { start, end } of gaps) expect(sent.some((id) => id > start && id < end)).toBe(true);
    expect(await areThere(sent)).toEqual(sent.map(() => true));
  });
});

describe("what happens to a message while it expires", () => {
  test("a message that is moved meanwhile stays until its new place's time", async () => {
    const kept = await w.channel(`kept ${channels}`, ["dev", "elin"]);
    await say("dev", kept);
    const [left, moved] = [await say("dev", channel, "dinner"), await say("dev", channel)];
    await age([left, moved], 8);
    const cutoff = new Date(Date.now() - 7 * DAY_MS);
    let tries = 0;
    await changeContent(w.state, async (tx) => {
      tries++;
      const places = [{ id: channel.id, cutoff }];
      const expired = await listExpiredMessages(tx, w.state.organizationId, places, BATCH);
      const { status, body } = await w.as("ada").patch(`/messages/${moved}`, { stream_id: kept.id });
      expect(status, JSON.stringify(body)).toBe(200);
      await deleteMessages(tx, expired);
    });
    // Nothing but the message's own row told of the move.
    expect(tries).toBe(1);
    expect(await areThere([left, moved])).toEqual([false, true]);
    expect((await told()).flatMap(({ ids }) => ids)).toEqual([left]);
  });

  test("all that others added to it goes with it", async () => {
    const id = await say("dev", channel);
    const on = async (answer: Promise<{ status: number; body: unknown }>) => {
      const { status, body } = await answer;
      expect(status, JSON.stringify(body)).toBe(200);
    };
    await on(w.as("dev").patch(`/messages/${id}`, { content: "Soup tomorrow?" }));
    await on(w.as("elin").post(`/messages/${id}/reactions`, { emoji_name: "smile" }));
    await on(w.as("elin").post("/messages/flags", { messages: [id], op: "add", flag: "starred" }));
    const { organizationId, database } = w.state;
    await database.query(sql`
      insert into submessages (organization_id, message_id, sender_id, kind, content)
      values (${organizationId}, ${id}, ${w.user("dev").id}, 'widget', '{}')`);
    expect(await countOf(id)).toEqual([1, 1, 1, 1]);
    await age([id], 8);
    await expire();
    expect(await countOf(id)).toEqual([0, 0, 0, 0]);
  });
});

async function countOf(messageId: number): Promise<number[]> {
  const organizationId: OrganizationId = w.state.organizationId;
  const [row] = await w.state.database.query<{ counts: number[] }>(sql`
    select array[
      (select count(*) from message_flags where organization_id = ${organizationId} and message_id = ${messageId}),
      (select count(*) from reactions where organization_id = ${organizationId} and message_id = ${messageId}),
      (select count(*) from submessages where organization_id = ${organizationId} and message_id = ${messageId}),
      (select count(*) from message_edits where organization_id = ${organizationId} and message_id = ${messageId})
    ] as counts`);
  return row?.counts as number[];
}
