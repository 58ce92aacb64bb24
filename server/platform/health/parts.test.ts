import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../db/sql.ts";
import { findLateJobs } from "../jobs/store.ts";
import { findWaitingMails } from "../mail/store.ts";
import { findTimes } from "./store.ts";

let harness: Harness;

beforeAll(async () => {
  harness = await createHarness({ PARLEY_DATA_DIR: tmpdir() });
  await harness.channel("kitchen", ["ada"]);
  await harness.services.files.prepare();
});

afterAll(() => harness.close());

test("a server that has just started is well in all its parts", async () => {
  const { health } = harness.services;
  for (const part of ["database", "disk", "files", "mail", "jobs", "clock"] as const) {
    expect(await health.check(part), part).toMatchObject({ level: expect.stringMatching(/ok|warning/) });
  }
  expect(await health.check("database")).toMatchObject({ code: "ok" });
  expect((await harness.app.inject("/ready")).json()).toEqual({ status: "ok" });
});

test("the newest message of all organizations counts, and a clock behind it is a warning", async () => {
  const { database, health } = harness.services;
  const message = { type: "channel", to: "kitchen", topic: "t", content: "now" };
  expect((await harness.as("ada").post("/messages", message)).status).toBe(200);
  const { now, newestMessage } = await database.snapshot(findTimes);
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
  expect(newestMessage).toBeGreaterThan(now - 60_000);
  await database.query(sql`update messages set sent_at = now() + interval '400 days'`);
  expect(await health.check("clock")).toMatchObject({
    code: "clock-behind",
    sentence: expect.stringContaining("400 days behind the newest message"),
  });
});

test("jobs that failed for good today, and those that are late, are counted", async () => {
  const { database } = harness.services;
  await database.query(sql`
    select from graphile_worker.add_job('late_job', run_at => now() - interval '20 minutes', max_attempts => 1)`);
  const before = await database.snapshot(findLateJobs);
  expect(before.failed).toBe(0);
  expect(before.waitedSeconds).toBeGreaterThanOrEqual(1200);
  await database.query(sql`
    select from graphile_worker.reschedule_jobs(
      (select array_agg(id) from graphile_worker.jobs where task_identifier = 'late_job'), attempts => 1)`);
  expect((await database.snapshot(findLateJobs)).failed).toBe(1);
});

test("mails that wait are counted with the age of the oldest", async () => {
  const { database } = harness.services;
  expect(await database.snapshot(findWaitingMails)).toMatchObject({
    count: 0,
    waitedSeconds: 0,
    lastAnswer: null,
    refused: 0,
  });
  await database.query(sql`
    insert into mails (organization_id, encrypted, queued_at)
    values (${harness.state.organizationId}, '', now() - interval '1 hour')`);
  await database.query(sql`
    insert into mails (organization_id, encrypted, queued_at, refused_at, last_answer)
    values (${harness.state.organizationId}, '', now() - interval '5 hours', now(), '550 no')`);
  expect(await database.snapshot(findWaitingMails)).toMatchObject({ lastAnswer: null, refused: 1 });
  const { count, waitedSeconds } = await database.snapshot(findWaitingMails);
  expect(count).toBe(1);
  expect(waitedSeconds).toBeGreaterThanOrEqual(3600);
  expect(waitedSeconds).toBeLessThan(2 * 3600);
});

test("a directory of files that has gone is noticed, and does not come back by itself", async () => {
  const { config, health } = harness.services;
  await rm(config.files as string, { recursive: true });
  expect(await health.check("files")).toMatchObject({
    level: "down",
    code: "files-away",
    sentence: expect.stringContaining("has no files of this installation. Is it mounted?"),
  });
});
