import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OrganizationId, Position } from "../../../api/ids.ts";
import { expectSuccess, refusal, sayIn } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { countJobs, runJobs } from "../../../test/harness/jobs.ts";
import { keepBook, type StatisticsLedger } from "../../../test/harness/statistics-ledger.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import { countSome, countStatistics, countStatisticsOf, forgetStatistics } from "./count.ts";
import * as store from "./store.ts";

let harness: Harness;
let book: StatisticsLedger;
beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  book = await keepBook(harness, 50);
  await harness.channel("kitchen", ["ada", "dev"]);
  await harness.channel("cellar", ["dev"], { isPrivate: true });
});
afterAll(() => harness?.close());

const say = sayIn(() => harness);
const query = <T>(statement: Sql) => harness.services.database.query<T & Record<string, unknown>>(statement);

async function countAll(organizationId: OrganizationId = harness.state.organizationId): Promise<void> {
  while (await countSome(harness.services.database, organizationId)) {}
}

const ask = async (params: Record<string, unknown> = {}) =>
  expectSuccess(harness.as("ben").get("/realm/statistics", params));
const askDay = async (to: string) => (await ask({ days: 1, to })).days[0];
/** Runs a periodic job as if its time had come. */
const runPeriodic = (job: typeof countStatistics) =>
  job.run(harness.services, {}, { signal: new AbortController().signal, dueAt: new Date() });

/** All messages to public channels. Midnight changes nothing of it. */
async function askPublicMessages(): Promise<number> {
  const tomorrow = new Date(Date.parse(await book.today()) + 86_400_000).toISOString().slice(0, 10);
  const { days } = await ask({ days: 400, to: tomorrow });
  return days.reduce(
    (sum: number, { public_messages }: { public_messages: number }) => sum + public_messages,
    0,
  );
}

/** Does the work again if midnight came meanwhile. */
async function onOneDay<T>(work: (today: string) => Promise<T>): Promise<T> {
  for (;;) {
    const today = await book.today();
    const result = await work(today);
    if (today === (await book.today())) return result;
  }
}

describe("who may ask", () => {
  test("owners and administrators may, and nobody else", async () => {
    for (const name of ["ada", "ben"] as const)
      await expectSuccess(harness.as(name).get("/realm/statistics"));
    for (const name of ["cleo", "dev", "gus", "echo"] as const)
      expect(await refusal(harness.as(name).get("/realm/statistics")), name).toContain("administrator");
    expect((await harness.nobody().get("/realm/statistics")).status).toBe(401);
  });

  test("a window has a last day that exists, and a bounded number of days", async () => {
    const { days } = await ask({ days: 3, to: "2024-03-01" });
    expect(days.map(({ day }: { day: string }) => day)).toEqual(["2024-02-28", "2024-02-29", "2024-03-01"]);
    expect((await ask()).days).toHaveLength(28);
    for (const to of ["2026-02-31", "2026-13-01", "0001-01-01"])
      expect(await refusal(harness.as("ada").get("/realm/statistics", { to }))).toContain(`no day '${to}'`);
    for (const params of [{ days: 0 }, { days: 401 }, { to: "yesterday" }, { to: "2026-1-1" }])
      expect((await harness.as("ada").get("/realm/statistics", params)).status).toBe(400);
  });

  test("the answer names no person, and no channel that the caller may not know of", async () => {
    await say("dev", "cellar");
    await countAll();
    const answer = await ask();
    const ids = answer.channels.map(({ stream_id }: { stream_id: number }) => stream_id);
    // Administrators may know of each channel, as by GET /streams.
    expect(ids).toContain(harness.channelId("cellar"));
    const text = JSON.stringify(answer);
    for (const word of ["cellar", "Dev Rao", "dev@demo.test"]) expect(text).not.toContain(word);

    const { channels } = await expectSuccess(harness.as("zed").get("/realm/statistics"));
    expect(channels).toEqual([]);
  });
});

describe("what is counted", () => {
  beforeEach(() => countAll());

  test("a message counts for its day in UTC, and a border is the first moment of the next day", async () => {
    const ids = [await say("ada", "kitchen"), await say("ada", "kitchen"), await say("ada", "kitchen")];
    const moments = ["2026-03-01T23:59:59.999999Z", "2026-03-02T00:00:00Z", "2026-03-02T01:30:00+02:00"];
    for (const [index, id] of ids.entries())
      await query(sql`update messages set sent_at = ${moments[index]}::timestamptz where id = ${id}
        and organization_id = ${harness.state.organizationId}`);
    await countAll();
    expect((await askDay("2026-03-01")).public_messages).toBe(2);
    expect((await askDay("2026-03-02")).public_messages).toBe(1);
    // Long ago nobody noted who was there.
    expect((await askDay("2026-03-01")).active_people).toBeNull();
    expect((await askDay("2026-03-01")).upload_bytes).toBeNull();
  });

  test("a time zone of the session or of a person moves no border", async () => {
    const { services, state } = harness;
    await expectSuccess(harness.as("ben").patch("/settings", { timezone: "Pacific/Kiritimati" }));
    const id = await say("ada", "kitchen");
    await query(sql`update messages set sent_at = '2026-03-04T23:30:00Z' where id = ${id}
      and organization_id = ${state.organizationId}`);
    await services.database.transaction(async (tx) => {
      await tx.query(new Sql("set local time zone 'Pacific/Kiritimati'", [], undefined));
      const { position } = (await store.lockCursor(tx, state.organizationId)) as { position: Position };
      await store.countStretch(tx, state.organizationId, { from: position, to: id as Position });
    });
    expect((await askDay("2026-03-04")).public_messages).toBe(1);
    expect((await askDay("2026-03-05")).public_messages).toBe(0);
  });

  test("a deletion after the count leaves the day's figure, one before it was never in it", async () => {
    const before = await askPublicMessages();
    const late = await say("ada", "kitchen");
    await countAll();
    await expectSuccess(harness.as("ada").delete(`/messages/${late}`));
    const early = await say("ada", "kitchen");
    await expectSuccess(harness.as("ada").delete(`/messages/${early}`));
    await countAll();
    expect(await askPublicMessages()).toBe(before + 1);
  });

  test("presences do not count where the organization has turned them off", async () => {
    const { organizationId } = harness.state;
    const isActive = async () =>
      (
        await query(sql`select from active_days where organization_id = ${organizationId}
          and user_id = ${harness.user("gus").id}`)
      ).length > 0;
    await expectSuccess(harness.as("ada").patch("/realm", { presence_disabled: true }));
    const isThere = sql`
      insert into presences (organization_id, user_id, last_active_at, last_connected_at, update_id)
      values (${organizationId}, ${harness.user("gus").id}, now(), now(),
        (extract(epoch from clock_timestamp()) * 1000)::bigint)`;
    await query(isThere);
    await countAll();
    expect(await isActive()).toBe(false);
    await expectSuccess(harness.as("ada").patch("/realm", { presence_disabled: false }));
    await countAll();
    expect(await isActive()).toBe(true);
  });

  test("who is active on two days is one person of the seven days, and the figures reach back 28 days", async () => {
    const { organizationId } = harness.state;
    await query(sql`delete from presences where organization_id = ${organizationId}`);
    const active = [
      { ago: 28, name: "elin" },
      { ago: 27, name: "elin" },
      { ago: 7, name: "dev" },
      { ago: 6, name: "dev" },
      { ago: 0, name: "ada" },
    ] as const;
    const figures = await onOneDay(async (today) => {
      await query(sql`delete from active_days where organization_id = ${organizationId}`);
      for (const { ago, name } of active)
        await query(sql`insert into active_days (organization_id, day, user_id)
          values (${organizationId}, ${today}::date - ${ago}::int, ${harness.user(name).id})`);
      await countAll();
      return askDay(today);
    });
    expect(figures).toMatchObject({
      active_people: 1,
      active_people_7_days: 2,
      active_people_28_days: 3,
    });
  });
});

describe("the job", () => {
  test("an organization without news is left alone, until it has some", async () => {
    const { database } = harness.services;
    await countAll();
    const isListed = async () => (await store.listUncounted(database)).includes(harness.state.organizationId);
    expect(await isListed()).toBe(false);
    await say("ada", "kitchen");
    expect(await isListed()).toBe(true);
    await countAll();
    expect(await isListed()).toBe(false);
    await book.passDay();
    expect(await isListed()).toBe(true);
  });

  test("it counts all organizations, each for itself", async () => {
    await expectSuccess(
      harness.as("zed").post("/messages", {
        ...{ type: "direct", to: JSON.stringify([harness.user("zed").id]), content: "A note." },
      }),
    );
    const days = await onOneDay(async (to) => {
      await runPeriodic(countStatistics);
      expect(await countJobs(harness.services, countStatisticsOf.name)).toBeGreaterThan(0);
      await runJobs(harness.services);
      await say("ada", "kitchen");
      return (await expectSuccess(harness.as("zed").get("/realm/statistics", { days: 2, to }))).days;
    });
    expect(days[1]).toMatchObject({ public_messages: 0, owners: 1, members: 0 });
    expect(days[0].direct_messages + days[1].direct_messages).toBe(1);
  });

  test("a crash between the counts and the cursor adds nothing twice", async () => {
    await countAll();
    const before = await askPublicMessages();
    await say("ada", "kitchen");
    const { database } = harness.services;
    const { organizationId: id } = harness.state;
    const crash = database.transaction(
      async (tx) => {
        const { position } = (await store.lockCursor(tx, id)) as { position: Position };
        await store.countStretch(tx, id, { from: position, to: (position + 1000) as Position });
        throw new Error("the machine lost its power");
      },
      { lane: "background" },
    );
    await expect(crash).rejects.toThrow("power");
    expect(await askPublicMessages()).toBe(before);
    await countAll();
    await countAll();
    expect(await askPublicMessages()).toBe(before + 1);
  });

  test("while the past is counted, the answer says so", async () => {
    const { organizationId } = harness.state;
    await query(sql`delete from statistics_cursors where organization_id = ${organizationId}`);
    await countSome(harness.services.database, organizationId, 1);
    expect((await ask()).counted_at).toBeNull();
    await query(sql`delete from statistics_days where organization_id = ${organizationId}`);
    await query(sql`delete from statistics_channel_days where organization_id = ${organizationId}`);
    await query(sql`delete from statistics_cursors where organization_id = ${organizationId}`);
    await countAll();
    expect((await ask()).counted_at).toBeGreaterThan(0);
  });

  test("an organization that is older than its statistics has its first figure of seven days on the seventh", async () => {
    const { organizationId } = harness.state;
    await query(sql`delete from statistics_cursors where organization_id = ${organizationId}`);
    await query(sql`update organizations set created_at = created_at - interval '1 year'
      where id = ${organizationId}`);
    await countAll();
    expect(await askDay(await book.today())).toMatchObject({ active_people_7_days: null });
    for (let day = 0; day < 6; day++) await book.passDay();
    await countAll();
    const today = await askDay(await book.today());
    expect(today.active_people_7_days).toEqual(expect.any(Number));
    expect(today.active_people_28_days).toBeNull();
  });

  test("a deactivated organization is not counted", async () => {
    const { organizationId } = harness.otherState;
    const other = sql`update organizations set deactivated_at = now() where id = ${organizationId}`;
    await query(other);
    expect(await countSome(harness.services.database, organizationId)).toBe(false);
    expect(await store.listUncounted(harness.services.database)).not.toContain(organizationId);
    await query(sql`update organizations set deactivated_at = null where id = ${organizationId}`);
  });

  test("days that no figure needs are forgotten, and the last that one needs are not", async () => {
    const { organizationId } = harness.state;
    const days = async (table: "active_days" | "statistics_channel_days") =>
      (
        await query<{ ago: number }>(
          new Sql(
            `select distinct (now() at time zone 'utc')::date - day as ago from ${table}
             where organization_id = $1 order by 1`,
            [organizationId],
            undefined,
          ),
        )
      ).map(({ ago }) => ago);
    const left = await onOneDay(async (today) => {
      await query(sql`delete from active_days where organization_id = ${organizationId}`);
      await query(sql`delete from statistics_channel_days where organization_id = ${organizationId}`);
      await query(sql`
        insert into active_days (organization_id, day, user_id)
        select ${organizationId}, ${today}::date - ago, ${harness.user("dev").id}
        from unnest(array[0, 34, 35, 36, 90]) as ago`);
      await query(sql`
        insert into statistics_channel_days (organization_id, day, channel_id, messages)
        select ${organizationId}, ${today}::date - ago, ${harness.channelId("kitchen")}, 1
        from unnest(array[0, 399, 400, 500]) as ago`);
      await runPeriodic(forgetStatistics);
      return { active: await days("active_days"), channels: await days("statistics_channel_days") };
    });
    expect(left).toEqual({ active: [0, 34, 35], channels: [0, 399] });
  });
});
