import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { OrganizationId } from "../../../api/ids.ts";
import { endExpiryGrace } from "../../../test/harness/expiry.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { runJobs } from "../../../test/harness/jobs.ts";
import { Node } from "../../../test/harness/node.ts";
import type { Channel } from "../../channels/channel.ts";
import { sql } from "../../platform/db/sql.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { deleteMessages } from "../delete/delete.ts";
import { expireMessages, expireMessagesOf } from "./expire.ts";
import { listExpiredMessages, listExpiringOrganizations } from "./store.ts";

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
const BATCH = 200;

let harness: Harness;
let channel: Channel;
let channels = 0;

beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

beforeEach(async () => {
  channels++;
  channel = await harness.channel(`week ${channels}`, ["dev", "elin"], { messageRetentionDays: 7 });
  await endExpiryGrace(harness);
});

async function say(name: CastName, to: Channel, topic = "lunch"): Promise<number> {
  const message = { type: "channel", to: to.name, topic, content: "Soup today?" };
  const { status, body } = await harness.as(name).post("/messages", message);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

async function tell(name: CastName, to: CastName[]): Promise<number> {
  const message = { type: "direct", to: to.map((each) => harness.user(each).id), content: "Soup?" };
  const { status, body } = await harness.as(name).post("/messages", message);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

/** Sets it as if a day had passed since. */
async function keep(days: number | "unlimited"): Promise<void> {
  await set(days);
  await endExpiryGrace(harness);
}

async function set(days: number | "unlimited"): Promise<void> {
  const { status, body } = await harness.as("ada").patch("/realm", { message_retention_days: days });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Makes messages look as if they had been sent this many days ago. */
async function age(ids: readonly number[], days: number): Promise<void> {
  await harness.state.database.query(sql`
    update messages set sent_at = ${new Date(Date.now() - days * DAY_MS)}
    where organization_id = ${harness.state.organizationId} and id = any(${ids}::bigint[])`);
}

let nextOldId = -1;

/** Adds messages that were sent eight days ago. */
async function addOldMessages(count: number): Promise<void> {
  const { organizationId, database } = harness.state;
  const [{ topicId } = { topicId: 0 }] = await database.query<{ topicId: number }>(sql`
    select topic_id as "topicId" from messages
    where organization_id = ${organizationId} and id = ${await say("dev", channel)}`);
  await database.query(sql`
    insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
      rendered_content)
    select ${organizationId}, ${nextOldId}::bigint - n, ${channel.id}, ${topicId}, ${harness.user("dev").id}, 'test',
      now() - interval '8 days', 0, 'old', '<p>old</p>' from generate_series(1, ${count}::int) as n`);
  nextOldId -= count;
}

async function remaining(): Promise<number> {
  const [row] = await harness.state.database.query<{ count: number }>(sql`
    select count(*)::int as count from messages
    where organization_id = ${harness.state.organizationId} and recipient_id = ${channel.id}
      and sent_at < now() - interval '7 days'`);
  return row?.count as number;
}

async function areThere(ids: readonly number[]): Promise<boolean[]> {
  const rows = await harness.state.database.query<{ id: number }>(sql`
    select id from messages where organization_id = ${harness.state.organizationId} and id = any(${ids}::bigint[])`);
  const there = new Set(rows.map(({ id }) => id));
  return ids.map((id) => there.has(id));
}

interface Told {
  position: number;
  ids: number[];
}

/** The log's deletion entries for messages of this channel, without the entries for older clients. */
async function told(): Promise<Told[]> {
  return harness.state.database.query(sql`
    select position, array(select jsonb_array_elements_text(payload -> 'message_ids')::bigint) as ids
    from events
    where organization_id = ${harness.state.organizationId} and type = 'delete_message'
      and payload ? 'message_ids' and payload ->> 'stream_id' = ${String(channel.id)}::text
    order by position`);
}

const never = new AbortController().signal;

function run(services: Services, signal: AbortSignal = never): Promise<void> {
  const { organizationId } = harness.state;
  return expireMessagesOf.run(services, { organizationId }, { signal, dueAt: new Date() });
}

/** A signal that stops the node, or runs `act`, between two parts of the work. */
function afterParts(count: number, act: () => void): AbortSignal {
  let parts = 0;
  return { throwIfAborted: () => ++parts > count && act() } as unknown as AbortSignal;
}

const expire = async () => {
  await expireMessages.run(harness.services, {}, { signal: never, dueAt: new Date() });
  await runJobs(harness.services);
};

describe("how long messages are kept", () => {
  test("an organization that keeps everything needs no work", async () => {
    const looked = () => harness.services.database.transaction(listExpiringOrganizations);
    expect(await looked()).toEqual([harness.state.organizationId]);
    const { status } = await harness.as("zed").patch("/realm", { message_retention_days: 30 });
    expect(status).toBe(200);
    expect((await looked()).sort()).toEqual(
      [harness.state.organizationId, harness.otherState.organizationId].sort(),
    );
    await harness.as("zed").patch("/realm", { message_retention_days: "unlimited" });
    expect(await looked()).toEqual([harness.state.organizationId]);
  });

  test("a channel's own number of days overrides a shorter or longer one of the organization", async () => {
    const month = await harness.channel(`month ${channels}`, ["dev"], { messageRetentionDays: 30 });
    const inherits = await harness.channel(`inherits ${channels}`, ["dev"]);
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

  test("conversations follow the organization's setting, and their events go only to their people", async () => {
    const sent = [await tell("dev", ["elin"]), await tell("dev", ["ada", "gus"]), await tell("dev", ["dev"])];
    const fresh = await tell("elin", ["dev"]);
    await age(sent, 11);
    await expire();
    expect(await areThere(sent)).toEqual([true, true, true]);
    await keep(10);
    await expire();
    expect(await areThere([...sent, fresh])).toEqual([false, false, false, true]);
    const rows = await harness.state.database.query<{ ids: number[]; userIds: number[] }>(sql`
      select array(select jsonb_array_elements_text(payload -> 'message_ids')::bigint) as ids,
        array(select jsonb_array_elements_text(audience -> 'userIds')::bigint) as "userIds"
      from events where organization_id = ${harness.state.organizationId} and payload ->> 'message_type' = 'private'
      order by position`);
    const people = [["dev", "elin"], ["dev", "ada", "gus"], ["dev"]] as CastName[][];
    expect(rows.map(({ ids, userIds }) => [ids, userIds.sort()]).sort()).toEqual(
      sent.map((id, index) => [[id], people[index]?.map((each) => harness.user(each).id).sort()]).sort(),
    );
    await keep("unlimited");
  });

  test("messages of a clock that was a year ahead keep nothing, and expire with the one after them", async () => {
    const first = await say("dev", channel);
    await addOldMessages(BATCH + 1);
    const ahead = await harness.state.database.query<{ id: number }>(sql`
      update messages set sent_at = now() + interval '1 year'
      where organization_id = ${harness.state.organizationId} and recipient_id = ${channel.id} and id < 0
      returning id`);
    expect(ahead).toHaveLength(BATCH + 1);
    const [old, alsoAhead, fresh] = [
      await say("dev", channel),
      await say("dev", channel),
      await say("dev", channel),
    ];
    const told = await tell("dev", ["gus"]);
    const toldLater = await tell("gus", ["dev"]);
    await age([first, old, toldLater], 8);
    await age([alsoAhead, told], -365);
    await keep(7);
    await expire();
    await keep("unlimited");
    expect(await areThere(ahead.map(({ id }) => id))).toEqual(ahead.map(() => false));
    expect(await areThere([first, old, alsoAhead, fresh])).toEqual([false, false, true, true]);
    expect(await areThere([told, toldLater])).toEqual([false, false]);
  });

  test("an archived channel's messages expire too", async () => {
    const old = await say("dev", channel);
    await age([old], 8);
    const { status } = await harness.as("ada").delete(`/streams/${channel.id}`);
    expect(status).toBe(200);
    await expire();
    expect(await areThere([old])).toEqual([false]);
  });
});

describe("what can't be taken back waits a day", () => {
  const laterBy = (ms: number) => vi.setSystemTime(Date.now() + ms);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("after a time was shortened, so an owner can set it right", async () => {
    await keep(90);
    const [inherits, month] = [
      await harness.channel(`inherits too ${channels}`, ["dev"]),
      await harness.channel(`a month ${channels}`, ["dev"], { messageRetentionDays: 30 }),
    ];
    await endExpiryGrace(harness);
    const sent = [await say("dev", inherits), await say("dev", month), await tell("dev", ["elin"])];
    const old = await say("dev", channel);
    await age([...sent, old], 20);
    await set(9);
    const { status } = await harness.as("ada").patch(`/streams/${month.id}`, { message_retention_days: 1 });
    expect(status).toBe(200);
    for (let hour = 0; hour < 24; hour++) {
      await run(harness.services);
      laterBy(HOUR_MS);
    }
    // What was to be deleted before is.
    expect(await areThere([...sent, old])).toEqual([true, true, true, false]);
    await set(90);
    await run(harness.services);
    laterBy(2 * HOUR_MS);
    await run(harness.services);
    expect(await areThere(sent)).toEqual([true, false, true]);
    await keep("unlimited");
  });

  test("also if it is shortened while a run goes on", async () => {
    await addOldMessages(2 * BATCH);
    const month = await harness.channel(`month long ${channels}`, ["dev"], { messageRetentionDays: 30 });
    await endExpiryGrace(harness);
    const sent = [await say("dev", month), await say("dev", month)];
    await age([sent[0] as number], 40);
    await age([sent[1] as number], 20);
    let isSet: Promise<unknown> | undefined;
    const shortening = afterParts(0, () => {
      isSet ??= harness.as("ada").patch(`/streams/${month.id}`, { message_retention_days: 1 });
    });
    await run(harness.services, shortening);
    await isSet;
    await run(harness.services);
    expect(await areThere(sent)).toEqual([false, true]);
  });

  test("after the clock was set forward, so an operator can set it right", async () => {
    const sent = await say("dev", channel);
    await run(harness.services);
    laterBy(365 * DAY_MS);
    for (let hour = 0; hour < 24; hour++) {
      await run(harness.services);
      laterBy(HOUR_MS);
    }
    expect(await areThere([sent])).toEqual([true]);
    laterBy(-366 * DAY_MS);
    await age([sent], 6);
    await run(harness.services);
    expect(await areThere([sent])).toEqual([true]);
    await age([sent], 8);
    // What the wrong clock had written holds nothing up for a year.
    for (let hour = 0; hour < 25; hour++) {
      await run(harness.services);
      laterBy(HOUR_MS);
    }
    expect(await areThere([sent])).toEqual([false]);
  });

  test("a server that was off for an evening goes on at once", async () => {
    const sent = await say("dev", channel);
    await run(harness.services);
    await age([sent], 8);
    laterBy(12 * HOUR_MS);
    await run(harness.services);
    expect(await areThere([sent])).toEqual([false]);
  });
});

describe("work in many parts", () => {
  test("that a stop interrupts continues in another run, with one event per message", async () => {
    await addOldMessages(2 * BATCH + 30);
    const stopping = afterParts(2, () => {
      throw new Error("the node is stopping");
    });
    await expect(run(harness.services, stopping)).rejects.toThrow("stopping");
    expect(await remaining()).toBe(30);
    await run(harness.services);
    expect(await remaining()).toBe(0);
    const ids = (await told()).flatMap((each) => each.ids);
    expect([ids.length, new Set(ids).size]).toEqual([2 * BATCH + 30, 2 * BATCH + 30]);
  });

  test("that takes too long for one run continues in another, which is queued at once", async () => {
    await addOldMessages(2 * BATCH);
    vi.useFakeTimers({ toFake: ["Date"] });
    const startedAt = Date.now();
    await run(
      harness.services,
      afterParts(1, () => vi.setSystemTime(startedAt + 3600 * 1000)),
    );
    vi.useRealTimers();
    expect(await remaining()).toBe(BATCH);
    await runJobs(harness.services);
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
    await run(harness.services, { throwIfAborted: () => parts++ } as unknown as AbortSignal);
    expect(await areThere(sent)).toEqual(sent.map(() => false));
    expect(parts).toBe(1);
    await keep("unlimited");
  });

  test("is done once when two nodes start it at the same time", async () => {
    await addOldMessages(3 * BATCH);
    const other = await Node.start(harness.services.config, harness.services.database.connection, {
      organizationId: harness.state.organizationId,
    });
    await Promise.all([run(harness.services), run(other.services)]);
    await other.stop();
    expect(await remaining()).toBe(0);
    const ids = (await told()).flatMap((each) => each.ids);
    expect([ids.length, new Set(ids).size]).toEqual([3 * BATCH, 3 * BATCH]);
  });

  test("lets messages be sent between its parts", async () => {
    await addOldMessages(5 * BATCH);
    let isOver = false;
    const work = run(harness.services).finally(() => {
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
    const kept = await harness.channel(`kept ${channels}`, ["dev", "elin"]);
    await say("dev", kept);
    const [left, moved] = [await say("dev", channel, "dinner"), await say("dev", channel)];
    await age([left, moved], 8);
    const cutoff = new Date(Date.now() - 7 * DAY_MS);
    let tries = 0;
    await runContentChange(harness.state, async (tx) => {
      tries++;
      const places = [{ id: channel.id, cutoff }];
      const expired = await listExpiredMessages(tx, harness.state.organizationId, places, {
        now: new Date(),
        limit: BATCH,
      });
      const { status, body } = await harness.as("ada").patch(`/messages/${moved}`, { stream_id: kept.id });
      expect(status, JSON.stringify(body)).toBe(200);
      await deleteMessages(tx, expired);
    });
    // Only the message's own row showed the move.
    expect(tries).toBe(1);
    expect(await areThere([left, moved])).toEqual([false, true]);
    expect((await told()).flatMap(({ ids }) => ids)).toEqual([left]);
  });

  test("few go at once if many people have added to them, but one goes at least", async () => {
    await addOldMessages(5);
    const { organizationId, database } = harness.state;
    const ids = await database.query<{ id: number }>(sql`
      select id from messages where organization_id = ${organizationId} and recipient_id = ${channel.id} and id < 0
      order by id`);
    // The first has more rows than a transaction deletes otherwise. The others fit in pairs.
    await database.query(sql`
      insert into message_flags (organization_id, user_id, message_id, flags)
      select ${organizationId}, 1000000 + n, id, 1 from unnest(${ids.map(({ id }) => id)}::bigint[]) as id,
        generate_series(1, case when id = ${ids[0]?.id} then 12000 else 4000 end) as n`);
    await expire();
    expect((await told()).map((each) => each.ids.length)).toEqual([1, 2, 2]);
    expect(await remaining()).toBe(0);
    const left = await database.query(sql`
      select from message_flags where organization_id = ${organizationId} and user_id >= 1000000`);
    expect(left).toEqual([]);
  });

  test("everything that others added to it is deleted with it", async () => {
    const id = await say("dev", channel);
    const on = async (answer: Promise<{ status: number; body: unknown }>) => {
      const { status, body } = await answer;
      expect(status, JSON.stringify(body)).toBe(200);
    };
    await on(harness.as("dev").patch(`/messages/${id}`, { content: "Soup tomorrow?" }));
    await on(harness.as("elin").post(`/messages/${id}/reactions`, { emoji_name: "smile" }));
    await on(harness.as("elin").post("/messages/flags", { messages: [id], op: "add", flag: "starred" }));
    const { organizationId, database } = harness.state;
    await database.query(sql`
      insert into submessages (organization_id, message_id, sender_id, kind, content)
      values (${organizationId}, ${id}, ${harness.user("dev").id}, 'widget', '{}')`);
    expect(await countOf(id)).toEqual([1, 1, 1, 1]);
    await age([id], 8);
    await expire();
    expect(await countOf(id)).toEqual([0, 0, 0, 0]);
  });
});

async function countOf(messageId: number): Promise<number[]> {
  const organizationId: OrganizationId = harness.state.organizationId;
  const [row] = await harness.state.database.query<{ counts: number[] }>(sql`
    select array[
      (select count(*) from message_flags where organization_id = ${organizationId} and message_id = ${messageId}),
      (select count(*) from reactions where organization_id = ${organizationId} and message_id = ${messageId}),
      (select count(*) from submessages where organization_id = ${organizationId} and message_id = ${messageId}),
      (select count(*) from message_edits where organization_id = ${organizationId} and message_id = ${messageId})
    ] as counts`);
  return row?.counts as number[];
}
