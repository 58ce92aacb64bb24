import { afterEach, describe, expect, test, vi } from "vitest";
import { useJobNodes } from "../../../test/harness/job-nodes.ts";
import { sql } from "../db/sql.ts";

const HOUR_MS = 3600 * 1000;

const jobNodes = useJobNodes();
const { runners, start, ask, words } = jobNodes;

test("a periodic job runs once for each of its times on one node, also for times when no node was up", async () => {
  const now = Date.now();
  await jobNodes.one.database.query(sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since)
    values ('strike_the_hour', ${new Date(now - 3 * HOUR_MS)})
    on conflict (identifier) do update set known_since = excluded.known_since, last_execution = null`);
  await Promise.all([start(jobNodes.one), start(jobNodes.two)]);
  const times = [2, 1, 0].map((hours) => new Date(Math.floor(now / HOUR_MS - hours) * HOUR_MS));
  await expect.poll(() => jobNodes.ranPeriodically.length).toBeGreaterThanOrEqual(times.length);
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await Promise.all([start(jobNodes.one), start(jobNodes.two)]);
  await ask("the end");
  await expect.poll(words).toContain("the end");
  const struck = dueBefore(now, "bong").map(({ dueAt }) => dueAt.getTime());
  expect(struck.sort()).toEqual(times.map((time) => time.getTime()));
});

/** Without what is due at the full hours after `now`, one of which may pass during a test. */
function dueBefore(now: number, word: string) {
  const nextHour = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  return jobNodes.ranPeriodically.filter((each) => each.word === word && each.dueAt.getTime() < nextHour);
}

test("runs that were missed are not made up for where the next one does all that waits", async () => {
  const now = Date.now();
  for (const name of ["sweep", "strike_the_hour"]) {
    await jobNodes.one.database.query(sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since)
      values (${name}, ${new Date(now - 3 * HOUR_MS)})
      on conflict (identifier) do update set known_since = excluded.known_since, last_execution = null`);
  }
  await start(jobNodes.one);
  await expect
    .poll(() => jobNodes.ranPeriodically.filter(({ word }) => word === "bong").length)
    .toBeGreaterThanOrEqual(3);
  await ask("the end");
  await expect.poll(words).toContain("the end");
  expect(dueBefore(now, "sweep").length).toBeLessThanOrEqual(1);
});

describe("after the clock was wrong", () => {
  /** The false clock goes on by ticks, so on a busy machine its seconds are longer. */
  const PATIENCE_MS = 45_000;
  /** Not within minutes: PostgreSQL, whose clock stays right, would let the job of that time run. */
  const nextHour = () => Math.ceil(Date.now() / HOUR_MS + 0.1) * HOUR_MS;
  /** The times for which the periodic job waits. */
  const planned = async () => {
    const found = await jobNodes.one.database.query<{ at: Date }>(sql`
      select run_at as at from graphile_worker.jobs where task_identifier = 'sweep'`);
    return found.map(({ at }) => at.getTime());
  };
  const setClock = (time: number) => {
    vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true });
    vi.setSystemTime(time);
  };
  const know = (since: number, last: number | null) =>
    jobNodes.one.database.query(sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      values ('sweep', ${new Date(since)}, ${last === null ? null : new Date(last)})
      on conflict (identifier) do update
        set known_since = excluded.known_since, last_execution = excluded.last_execution`);
  afterEach(() => void vi.useRealTimers());

  test("a periodic job that has run in the future runs at its next time", async () => {
    const ahead = Date.now() + 400 * 24 * HOUR_MS;
    await know(ahead, ahead);
    const next = nextHour();
    setClock(next - 2000);
    await start(jobNodes.one);
    await expect.poll(planned, { timeout: PATIENCE_MS }).toContain(next);
  }, 60_000);

  test("and set back, periodic jobs are planned for the times of now", async () => {
    const next = nextHour();
    const wrong = next + 10 * HOUR_MS + 60_000;
    await know(wrong, null);
    setClock(wrong);
    await start(jobNodes.one);
    await ask("started");
    await expect.poll(words).toContain("started");
    setClock(next - 6000);
    await expect.poll(planned, { timeout: PATIENCE_MS }).toContain(next);
    expect(jobNodes.lines.join("")).toContain("the machine's clock was set to another time");
  }, 60_000);
});
