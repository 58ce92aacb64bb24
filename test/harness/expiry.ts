/** The expiry of messages: what is sent, its age, how long it is kept, and the work of deleting it. */
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { Channel } from "../../server/channels/channel.ts";
import { expireMessages, expireMessagesOf } from "../../server/messages/retention/expire.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { Services } from "../../server/services.ts";
import { type CastName, createHarness, type Harness } from "./harness.ts";
import { runJobs } from "./jobs.ts";

const DAY_MS = 24 * 3600 * 1000;

/** How many messages a part of the work deletes. */
export const BATCH = 200;

interface Told {
  position: number;
  ids: number[];
}

/** Lets the day pass for which deletion waits: the present times of all places count from now on. */
export async function endExpiryGrace({
  services,
  state,
}: Pick<Harness, "services" | "state">): Promise<void> {
  const { organizationId } = state;
  const context = { signal: new AbortController().signal, dueAt: new Date() };
  await expireMessagesOf.run(services, { organizationId }, context);
  await services.database.query(sql`
    update message_expiries set waits_until = looked_at, holds = '{}' where organization_id = ${organizationId}`);
}

/** Starts the server before the tests of a file, and ends it after. */
export function useExpiry() {
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

  return {
    ...{ say, tell, keep, set, age, addOldMessages, remaining, areThere, told, run, afterParts, expire },
    get harness() {
      return harness;
    },
    /** The channel of the running test, which keeps messages for a week. */
    get channel() {
      return channel;
    },
    /** How many such channels there are. */
    get channels() {
      return channels;
    },
  };
}
