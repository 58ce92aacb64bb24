/**
 * Whatever people do, the figures are what a second book says: see the harness's ledger. Each run has a new
 * seed, which it prints, and PARLEY_SEED repeats it. Days pass by making everything in the database older.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OrganizationId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { expectSuccess, sayIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { furtherNode, type HttpNode } from "../../../test/harness/http-node.ts";
import { Random } from "../../../test/harness/random.ts";
import { howToRepeat, seed } from "../../../test/harness/seed.ts";
import { keepBook, type StatisticsLedger } from "../../../test/harness/statistics-ledger.ts";
import { uploaded } from "../../../test/harness/uploads.ts";
import { sql } from "../../platform/db/sql.ts";
import { countSome } from "./count.ts";
import { readStatistics } from "./read.ts";
import { listDays, type StatisticsDay } from "./store.ts";

const DAYS = 12;
const STEPS_A_DAY = 16;
const people: readonly CastName[] = ["ada", "ben", "cleo", "dev", "elin", "gus"];
const places = ["kitchen", "garden", "cellar"];

console.log(howToRepeat("server/administration/statistics/random-walk.test.ts"));

let harness: Harness;
let other: HttpNode;
let book: StatisticsLedger;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  book = await keepBook(harness, DAYS * 2);
  await harness.channel("kitchen", ["ada", "ben", "cleo", "dev", "elin", "gus"]);
  await harness.channel("garden", ["ada", "ben", "cleo", "dev"]);
  await harness.channel("cellar", ["ada", "ben", "dev", "elin"], { isPrivate: true });
  // So that each has a topic.
  for (const place of places) await say("ada", place);
  other = await furtherNode(harness);
});
afterAll(async () => {
  await other?.stop();
  await harness?.close();
});

const say = sayIn(() => harness);
const query = <T>(statement: ReturnType<typeof sql>) =>
  harness.services.database.query<T & Record<string, unknown>>(statement);

interface Walk {
  random: Random;
  sent: number[];
  made: number;
  isGusActive: boolean;
}

type Step = (walk: Walk) => Promise<unknown>;

/** Who may write there, whatever happened before. */
const membersOf: Readonly<Record<string, readonly CastName[]>> = {
  kitchen: ["ada", "ben", "cleo", "dev", "elin"],
  garden: ["ada", "ben", "cleo", "dev"],
  cellar: ["ada", "ben", "dev", "elin"],
};

const steps: Record<string, Step> = {
  async send({ random, sent }) {
    const place = random.pick(places);
    sent.push(await say(random.pick(membersOf[place] as CastName[]), place));
  },
  async write({ random }) {
    const [from, to] = random.shuffle(people.slice(0, 5)) as [CastName, CastName];
    const ids = JSON.stringify([harness.user(to).id]);
    await expectSuccess(harness.as(from).post("/messages", { type: "direct", to: ids, content: "Tea?" }));
  },
  elsewhere: () =>
    expectSuccess(
      harness.as("zed").post("/messages", {
        ...{ type: "direct", to: JSON.stringify([harness.user("zed").id]), content: "A note." },
      }),
    ),
  async bot() {
    const to = JSON.stringify([harness.user("ben").id]);
    await expectSuccess(harness.as("echo").post("/messages", { type: "direct", to, content: "Beep." }));
  },
  async react({ random, sent }) {
    if (sent.length === 0) return;
    const reaction = { emoji_name: random.pick(["smile", "tada", "heart"]) };
    // A second one by the same person is refused.
    await harness.as("ada").post(`/messages/${random.pick(sent)}/reactions`, reaction);
    await harness.as("ben").post(`/messages/${random.pick(sent)}/reactions`, reaction);
  },
  async delete({ random, sent }) {
    const [id] = sent.splice(random.upTo(sent.length), 1);
    if (id !== undefined) await expectSuccess(harness.as("ada").delete(`/messages/${id}`));
  },
  async move({ random, sent }) {
    if (sent.length === 0) return;
    const stream_id = harness.channelId(random.pick(places));
    const topic = random.pick(["lunch", "supper"]);
    // A move to where it is is refused.
    await harness.as("ada").patch(`/messages/${random.pick(sent)}`, { stream_id, topic });
  },
  async deactivate(walk) {
    const { id } = harness.user("gus");
    await expectSuccess(
      walk.isGusActive
        ? harness.as("ada").delete(`/users/${id}`)
        : harness.as("ada").post(`/users/${id}/reactivate`),
    );
    walk.isGusActive = !walk.isGusActive;
  },
  async role({ random }) {
    const role = random.pick([roles.moderator, roles.member, roles.administrator]);
    await harness.as("ada").patch(`/users/${harness.user("cleo").id}`, { role });
  },
  async upload({ random }) {
    await uploaded(harness, random.pick(["ada", "dev"]), "x".repeat(1 + random.upTo(2000)));
  },
  async channel(walk) {
    await harness.channel(`made ${walk.made++}`, ["ada"], { isPrivate: walk.random.upTo(2) === 0 });
  },
  async privacy({ random }) {
    const is_private = random.upTo(2) === 0;
    await harness.as("ada").patch(`/streams/${harness.channelId("garden")}`, { is_private });
  },
  async archive({ random, made }) {
    if (made > 0)
      await harness.as("ada").delete(`/streams/${harness.channelId(`made ${random.upTo(made)}`)}`);
  },
  /** Somebody is there, perhaps in the last minutes of yesterday. */
  async present({ random }) {
    const { id } = harness.user(random.pick(people));
    const { organizationId } = harness.state;
    await query(sql`
      insert into presences as p (organization_id, user_id, last_active_at, last_connected_at, update_id)
      values (${organizationId}, ${id}, now() - make_interval(hours => ${random.upTo(30)}::int), now(),
        (extract(epoch from clock_timestamp()) * 1000)::bigint)
      on conflict (organization_id, user_id) do update set update_id = excluded.update_id,
        last_active_at = greatest(p.last_active_at, excluded.last_active_at)`);
  },
  /** As imports do: messages of long ago, with the next positions of the log. */
  async past({ random }) {
    const { organizationId } = harness.state;
    const count = 1 + random.upTo(20);
    const id = harness.channelId(random.pick(places));
    await query(sql`
      with log as (
        update organization_logs set head = head + ${count} where organization_id = ${organizationId} returning head
      )
      insert into messages (organization_id, id, recipient_id, topic_id, sender_id, client, sent_at, facts,
        content, rendered_content)
      select ${organizationId}, log.head - ${count} + number, ${id}, (
          select min(id) from topics where organization_id = ${organizationId} and channel_id = ${id}
        ), ${harness.user("elin").id}, 'test', now() - make_interval(days => number * ${random.upTo(30)}::int), 0, 'soup', ''
      from log, generate_series(1, ${count}) as number`);
    await harness.state.catchUp();
  },
};

/** Both nodes count at once, by small stretches, while somebody sends. A run ends in between. */
async function countAll({ random }: Walk): Promise<void> {
  for (const organizationId of [harness.state, harness.otherState].map((each) => each.organizationId)) {
    const positions = 1 + random.upTo(40);
    const node = async ({ database }: Pick<Harness["services"], "database">) => {
      let isMore = true;
      while (isMore) isMore = await countSome(database, organizationId, positions);
    };
    await Promise.all([node(harness.services), node(other.services), say("dev", "kitchen")]);
    await node(other.services);
  }
  // What was sent while the second organization was counted.
  await countSome(harness.services.database, harness.state.organizationId);
}

/** The figures of active people that no turn changes any more. */
type Frozen = Map<number, Map<string, (number | null)[]>>;

const activityOf = (day: StatisticsDay | undefined) => [
  day?.activePeople,
  day?.activePeople7Days,
  day?.activePeople28Days,
];

async function compare(organizationId: OrganizationId, today: string): Promise<void> {
  const rows = await listDays(harness.services.database, organizationId, {
    from: "1990-01-01",
    to: "2999-01-01",
  });
  const counted = rows
    .map((row) => ({
      day: row.day,
      public: row.publicMessages,
      private: row.privateMessages,
      direct: row.directMessages,
      bots: row.botMessages,
    }))
    .filter((row) => row.public + row.private + row.direct > 0);
  expect(counted).toEqual(await book.messages(organizationId));
  const byChannel = await query(sql`
    select day::text as day, channel_id as "channelId", messages from statistics_channel_days
    where organization_id = ${organizationId} order by 1, 2`);
  expect(byChannel).toEqual(await book.channels(organizationId));

  const recent = new Date(Date.parse(`${today}T00:00:00Z`) - 7 * 86_400_000).toISOString().slice(0, 10);
  for (const row of rows) {
    if (row.day < recent || row.activePeople === null) continue;
    const expected = await Promise.all([1, 7, 28].map((n) => book.activePeople(organizationId, row.day, n)));
    expect(activityOf(row), row.day).toEqual(expected);
  }
  expect(rows.find(({ day }) => day === today)).toMatchObject(await stateOf(organizationId));
}

/** The state of now, by other statements than those of the job. */
async function stateOf(organizationId: OrganizationId) {
  const accounts = await query<{ kind: string; count: number }>(sql`
    select case when bot_type is not null then case when deactivated_at is null then 'bots' else 'old bots' end
        when deactivated_at is not null then 'deactivatedPeople'
        else (array['owners', 'administrators', 'moderators', 'members', null, 'guests'])[role / 100] end as kind,
      count(*)::int as count
    from users where organization_id = ${organizationId} and not is_system group by 1`);
  const places = await query<{ kind: string; count: number }>(sql`
    select case when archived_at is not null then 'archivedChannels' when is_private then 'privateChannels'
        else 'publicChannels' end as kind, count(*)::int as count
    from channels where organization_id = ${organizationId} group by 1`);
  const [files] = await query<{ bytes: number }>(sql`
    select coalesce(sum(size), 0)::bigint as bytes from uploads where organization_id = ${organizationId}`);
  const none = ["owners", "administrators", "moderators", "members", "guests", "deactivatedPeople", "bots"];
  const kinds = [...none, "publicChannels", "privateChannels", "archivedChannels"];
  const found = new Map([...accounts, ...places].map(({ kind, count }) => [kind, count]));
  const counts = Object.fromEntries(kinds.map((kind) => [kind, found.get(kind) ?? 0]));
  return { ...counts, uploadBytes: files?.bytes };
}

test(`the figures of each day are those of a recount (seed ${seed})`, { timeout: 300_000 }, async () => {
  const walk: Walk = { random: new Random(seed), sent: [], made: 0, isGusActive: true };
  const frozen: Frozen = new Map();
  let ago = 0;
  for (let day = 0; day < DAYS; day++) {
    const { random } = walk;
    for (let step = 0; step < STEPS_A_DAY; step++) {
      const name = random.pick([...Object.keys(steps), "send", "send", "write", "react"]);
      await (steps[name] as Step)(walk);
      if (random.upTo(6) === 0) await countSome(other.services.database, harness.state.organizationId, 5);
    }
    // On some days the server is off, so that the figures of the day before come late.
    if (random.upTo(4) > 0 || day === DAYS - 1) await countAndCompare(walk);
    await checkFrozen(frozen, ago);
    const passes = random.upTo(5) === 0 ? 2 : 1;
    for (let pass = 0; pass < passes && ago < DAYS * 2; pass++, ago++) await book.passDay();
  }
});

async function countAndCompare(walk: Walk): Promise<void> {
  let today: string;
  // At midnight the book and the job could speak of different days.
  do {
    today = await book.today();
    await countAll(walk);
  } while (today !== (await book.today()));
  for (const { organizationId } of [harness.state, harness.otherState]) await compare(organizationId, today);
}

/** Days that are older than those that are counted again keep their figures of active people. */
async function checkFrozen(frozen: Frozen, ago: number): Promise<void> {
  const { organizationId } = harness.state;
  const today = await book.today();
  const limits = { from: "1990-01-01", to: "2999-01-01" };
  for (const row of await listDays(harness.services.database, organizationId, limits)) {
    if (row.activePeople === null) continue;
    const back = Math.round((Date.parse(today) - Date.parse(row.day)) / 86_400_000);
    if (back <= 9) continue;
    // The same day, however many days have passed since.
    const days = frozen.get(organizationId) ?? new Map();
    frozen.set(organizationId, days);
    const key = String(ago - back);
    const known = days.get(key);
    if (known) expect(activityOf(row), row.day).toEqual(known);
    else days.set(key, activityOf(row));
  }
}

test("a server that starts now reads the same, with each day and the people who are new", async () => {
  const node = await furtherNode(harness);
  try {
    const to = await book.today();
    const { days, countedAt, channels } = await readStatistics(node.state, { days: 60, to });
    expect(days).toHaveLength(60);
    expect(countedAt).toBeInstanceOf(Date);
    expect(days.map(({ day }) => day)).toEqual([...new Set(days.map(({ day }) => day))].sort());
    const people = await query<{ count: number }>(sql`
      select count(*)::int as count from users
      where organization_id = ${harness.state.organizationId} and bot_type is null and not is_system`);
    expect(days.reduce((sum, { newPeople }) => sum + newPeople, 0)).toBe(people[0]?.count);
    const from = days[0]?.day as string;
    const all = await book.channels(harness.state.organizationId);
    const booked = all.filter(({ day }) => day >= from && day <= to);
    const total = (list: readonly { messages: number }[]) =>
      list.reduce((sum, { messages }) => sum + messages, 0);
    expect(total(channels)).toBe(total(booked));
  } finally {
    await node.stop();
  }
});
