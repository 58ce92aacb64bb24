import type { TObject } from "typebox";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { QueuedEvent } from "../../client/contract.ts";
import { channels } from "../../server/channels/channel.ts";
import { findHistoryChanges } from "../../server/channels/history/history-changes.ts";
import { findNewFullMembers } from "../../server/channels/visibility/new-full-members.ts";
import { groups } from "../../server/groups/group.ts";
import { expireMessages } from "../../server/messages/retention/expire.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { Job } from "../../server/platform/jobs/job.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import type { Services } from "../../server/services.ts";
import { endExpiryGrace } from "../harness/expiry.ts";
import { eventNames, everybody, followAll, forms } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { runJobs } from "../harness/jobs.ts";

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

async function runAt(job: Job<TObject, Services>, dueAt: number): Promise<void> {
  await job.run(harness.services, {}, { signal: new AbortController().signal, dueAt: new Date(dueAt) });
  await runJobs(harness.services);
}

async function done(answer: Promise<{ status: number; body: { id?: number } }>): Promise<number> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id as number;
}

const say = (name: CastName, to: string, topic = "lunch") =>
  done(harness.as(name).post("/messages", { type: "channel", to, topic, content: "Soup today?" }));

const tell = (name: CastName, to: CastName) =>
  done(harness.as(name).post("/messages", { type: "direct", to: [harness.user(to).id], content: "Soup?" }));

/** Makes the messages look as if they had been sent this many days ago. */
async function age(ids: readonly number[], days: number): Promise<void> {
  await harness.state.database.query(sql`
    update messages set sent_at = ${new Date(Date.now() - days * DAY_MS)}
    where organization_id = ${harness.state.organizationId} and id = any(${ids}::bigint[])`);
}

async function makeOldChannel(name: string, subscribed: CastName[], options = {}): Promise<void> {
  const channel = await harness.channel(name, subscribed, options);
  const createdAt = Math.floor((Date.now() - 400 * DAY_MS) / 1000);
  await runStateChange(harness.state, async (tx) => {
    tx.appendPatch({ [channels.name]: { put: [{ ...channel, createdAt }] } });
  });
}

const updates = (events: readonly QueuedEvent[] | undefined) =>
  (events ?? []).map(({ name, property, value }) => [name, property, value]);

describe("the fields of a channel that change with time", () => {
  test("are sent once a day to people who can see the channel", async () => {
    await makeOldChannel("asleep", ["dev", "elin"]);
    await makeOldChannel("awake", ["dev", "elin"]);
    await makeOldChannel("quieter", ["dev", "elin"]);
    await makeOldChannel("secret", ["dev", "elin"], { isPrivate: true });
    await harness.channel("new", ["dev"]);
    const sayAt = async (days: number, channel: string) => age([await say("dev", channel)], days);
    await sayAt(200, "awake");
    await sayAt(180.5, "asleep");
    await sayAt(180.5, "secret");
    for (let index = 0; index < 12; index++) await sayAt(28.5, "quieter");
    await say("dev", "new");
    await say("dev", "quieter");
    await age([await say("dev", "awake")], 0.5);
    const heard = await followAll(harness, everybody, () => runAt(findHistoryChanges, Date.now()));
    const open = [
      ["asleep", "is_recently_active", false],
      ["awake", "is_recently_active", true],
      ["quieter", "stream_weekly_traffic", 0],
    ];
    expect(updates(heard.elin)).toEqual([...open, ["secret", "is_recently_active", false]]);
    expect(updates(heard.cleo)).toEqual(open);
    expect(updates(heard.gus)).toEqual([]);
    expect(updates(heard.zed)).toEqual([]);
  });

  test("are not sent while they stay the same", async () => {
    const heard = await followAll(harness, ["elin"], () =>
      runAt(findHistoryChanges, Date.now() + 2 * DAY_MS),
    );
    expect(updates(heard.elin)).toEqual([]);
  });
});

describe("members who become full members after the waiting period", () => {
  let joinedAt: number;
  beforeAll(async () => {
    joinedAt = Date.parse(harness.user("elin").user.joinedAt);
    await done(harness.as("ada").patch("/realm", { waiting_period_threshold: 3 }));
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterAll(async () => {
    vi.useRealTimers();
    await done(harness.as("ada").patch("/realm", { waiting_period_threshold: 0 }));
  });

  test("are announced once, within an hour, and get the channels that only they may see", async () => {
    const group = harness.state.get(groups).system("fullMembers").id;
    await harness.channel("for the settled", ["ada"], {
      isPrivate: true,
      groupSettings: { can_administer_channel_group: group },
    });
    const waitedAt = joinedAt + 3 * DAY_MS;
    const heard = await followAll(harness, everybody, async () => {
      vi.setSystemTime(waitedAt + HOUR_MS);
      for (const hours of [-0.5, 0.5, 1.5]) await runAt(findNewFullMembers, waitedAt + hours * HOUR_MS);
    });
    const members = ["dev", "elin", "echo"].map((name) => harness.user(name as CastName).id);
    expect(eventNames(heard.gus)).toEqual(["user_group/add_members"]);
    expect(heard.gus?.[0]).toMatchObject({ group_id: group, user_ids: members });
    expect(eventNames(heard.elin)).toEqual([
      "user_group/add_members",
      "stream/create",
      "subscription/peer_add",
    ]);
    expect(eventNames(heard.zed)).toEqual([]);
  });
});

describe("messages that have been kept for their full time", () => {
  beforeAll(async () => {
    await harness.channel("week", ["dev", "elin", "gus"], { messageRetentionDays: 7 });
    await harness.channel("for ever", ["dev", "elin"], { messageRetentionDays: -1 });
    await harness.channel("as all", ["dev", "elin"]);
    await harness.channel("closed", ["dev", "elin"], { isPrivate: true, messageRetentionDays: 7 });
    await endExpiryGrace(harness);
  });

  const isThere = async (name: CastName, id: number) =>
    (await harness.as(name).get("/messages", { message_ids: [id] })).body.messages.length === 1;
  const expire = () => runAt(expireMessages, Date.now());

  test("are deleted for all their readers, and the channel gets another first message", async () => {
    const old = [await say("dev", "week"), await say("dev", "week", "dinner"), await say("elin", "week")];
    await age(old, 7.1);
    const first = await say("dev", "week");
    await done(harness.as("elin").post("/messages/flags", { messages: old, op: "add", flag: "starred" }));
    await done(harness.as("gus").post(`/messages/${old[0]}/reactions`, { emoji_name: "smile" }));
    const heard = await followAll(harness, everybody, expire, {
      forms: [forms.modern, forms.plain, forms.partial],
    });
    const deletions = heard.gus?.filter(({ type }) => type === "delete_message");
    expect(deletions?.map(({ message_ids, topic }) => [topic, message_ids])).toEqual([
      ["lunch", [old[0], old[2]]],
      ["dinner", [old[1]]],
    ]);
    expect(updates(heard.gus?.filter(({ type }) => type === "stream"))).toEqual([
      ["week", "first_message_id", first],
    ]);
    expect(eventNames(heard.zed)).toEqual([]);
    expect(await isThere("elin", old[0] as number)).toBe(false);
    expect(await isThere("elin", first)).toBe(true);
    const [left] = await harness.state.database.query<{ count: number }>(sql`
      select ((select count(*) from message_flags where message_id = any(${old}::bigint[]))
        + (select count(*) from reactions where message_id = any(${old}::bigint[])))::int as count`);
    expect(left?.count).toBe(0);
  });

  test("of a private channel are deleted with an event to its subscribers only", async () => {
    await age([await say("dev", "closed")], 8);
    const heard = await followAll(harness, everybody, expire);
    expect(eventNames(heard.elin)).toContain("delete_message");
    for (const name of ["ada", "cleo", "gus", "zed"])
      expect(eventNames(heard[name])).not.toContain("delete_message");
  });

  test("follow the channel's own rule, or else the organization's, as direct messages do", async () => {
    const kept = await say("dev", "for ever");
    const inChannel = await say("dev", "as all");
    const direct = await tell("dev", "elin");
    await age([kept, inChannel, direct], 40);
    await expire();
    for (const id of [kept, inChannel, direct]) expect(await isThere("elin", id)).toBe(true);
    await done(harness.as("ada").patch("/realm", { message_retention_days: 30 }));
    await endExpiryGrace(harness);
    const heard = await followAll(harness, everybody, expire);
    expect(await isThere("elin", kept)).toBe(true);
    expect(await isThere("elin", inChannel)).toBe(false);
    expect(await isThere("elin", direct)).toBe(false);
    const isDirect = ({ type, message_type }: QueuedEvent) =>
      type === "delete_message" && message_type === "private";
    for (const name of everybody) expect(heard[name]?.some(isDirect)).toBe(["dev", "elin"].includes(name));
    await done(harness.as("ada").patch("/realm", { message_retention_days: -1 }));
  });

  test("are deleted a few at a time, until none is left", async () => {
    const [{ topicId } = { topicId: 0 }] = await harness.state.database.query<{ topicId: number }>(sql`
      select topic_id as "topicId" from messages where id = ${await say("dev", "week")}`);
    const channel = harness.state.get(channels).findByName("week")?.id;
    await harness.state.database.query(sql`
      insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts, content,
        rendered_content)
      select ${harness.state.organizationId}, -n, ${channel}, ${topicId}, ${harness.user("dev").id}, 'test',
        now() - interval '8 days', 0, 'old', '<p>old</p>' from generate_series(1, 450) as n`);
    const heard = await followAll(harness, ["elin", "dev"], expire);
    const deleted = heard.elin?.filter(({ type }) => type === "delete_message") ?? [];
    expect(deleted.map(({ message_ids }) => (message_ids as number[]).length)).toEqual([200, 200, 50]);
  });

  test("stay if the rule is lifted before the deletion", async () => {
    const id = await say("dev", "week");
    await age([id], 9);
    const channel = harness.state.get(channels).findByName("week")?.id;
    await done(harness.as("ada").patch(`/streams/${channel}`, { message_retention_days: "unlimited" }));
    await expire();
    expect(await isThere("elin", id)).toBe(true);
  });
});
