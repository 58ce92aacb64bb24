import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { endpoints } from "../../api/index.ts";
import { expectSuccess } from "../../test/harness/answers.ts";
import { Exposition } from "../../test/harness/exposition.ts";
import { type CastName, callerOf, createHarness, type Harness, HOST } from "../../test/harness/harness.ts";
import { Node } from "../../test/harness/node.ts";
import { createServer } from "../app.ts";
import { readConfig } from "../config.ts";
import { writeBackupRecord } from "../platform/backup/backup-record.ts";
import { sql } from "../platform/db/sql.ts";
import { HttpStats } from "../platform/http/http-stats.ts";
import { enqueue } from "../platform/jobs/enqueue.ts";
import { forgetFailedJobs } from "../platform/jobs/forget-failed.ts";
import { LogFollower } from "../platform/log/log-follower.ts";
import { writeText } from "../platform/metrics/exposition.ts";
import { ownVersion } from "../version.ts";
import { NodeMetrics, type NodeMetricsSource } from "./node-metrics.ts";

let harness: Harness;
let app: FastifyInstance;
let follower: LogFollower;
let metrics: NodeMetrics;
const stats = new HttpStats();

beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("plans", ["ada", "dev"]);
  app = await createServer(harness.services, { stats });
  follower = new LogFollower(harness.services, () => {});
  const core: NodeMetricsSource = {
    services: harness.services,
    follower,
  };
  metrics = new NodeMetrics(core, stats);
});

afterAll(async () => {
  await app.close();
  await harness.close();
});

async function read(): Promise<Exposition> {
  return new Exposition(await writeText([await metrics.read()]));
}

/** Like `harness.as`, on the server whose calls are counted. */
function as(name: CastName) {
  const { email, apiKey } = harness.user(name);
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
  return callerOf(app, { host: HOST, authorization, "user-agent": "ParleyTest/1.0" });
}

/** How much the value grows while `act` runs. */
async function growth(
  name: string,
  labels: Record<string, string>,
  act: () => Promise<unknown>,
): Promise<number> {
  const before = (await read()).value(name, labels) ?? 0;
  await act();
  return ((await read()).value(name, labels) ?? 0) - before;
}

function say(name: CastName, content: string) {
  return expectSuccess(
    as(name).post("/messages", { type: "channel", to: "plans", topic: "metrics", content }),
  );
}

describe("calls", () => {
  test("are counted by operation and class of status, and timed", async () => {
    const labels = { operation: "sendMessage" };
    const sent = () => say("ada", "one");
    expect(await growth("parley_http_calls_total", { ...labels, class: "2xx" }, sent)).toBe(1);
    expect(await growth("parley_http_call_duration_seconds_count", labels, sent)).toBe(1);
    const refused = () =>
      as("dev").post("/messages", { type: "channel", to: "nowhere", topic: "x", content: "x" });
    expect(await growth("parley_http_calls_total", { ...labels, class: "4xx" }, refused)).toBe(1);
    expect((await read()).value("parley_http_calls_total", { ...labels, class: "5xx" })).toBe(0);
  });

  test("whose handler does not run are counted, and not timed", async () => {
    const labels = { operation: "getOwnUser" };
    await as("ada").get("/users/me");
    const refused = () => app.inject({ method: "GET", url: "/api/v1/users/me", headers: { host: HOST } });
    expect(await growth("parley_http_calls_total", { ...labels, class: "4xx" }, refused)).toBe(1);
    expect(await growth("parley_http_call_duration_seconds_count", labels, refused)).toBe(0);
  });

  test("that reach no operation share one name, whatever their path", async () => {
    const call = async () => {
      for (const path of ["/nothing", "/users/me/nothing", "/secret-name"]) {
        await app.inject({ method: "GET", url: `/api/v1${path}`, headers: { host: HOST } });
      }
    };
    expect(await growth("parley_http_calls_total", { operation: "none", class: "4xx" }, call)).toBe(3);
  });

  test("that hold their response are shown while they wait", async () => {
    const { body } = await as("dev").post("/register", { event_types: ["message"] });
    expect((await read()).value("parley_event_queues")).toBeGreaterThan(0);
    expect((await read()).value("parley_http_held_polls")).toBe(0);
    const held = as("dev").get("/events", { queue_id: body.queue_id, last_event_id: body.last_event_id });
    await expect.poll(async () => (await read()).value("parley_http_held_polls")).toBe(1);
    expect(await growth("parley_events_delivered_total", {}, () => say("ada", "two"))).toBe(1);
    expect((await held).body.events).toHaveLength(1);
    expect((await read()).value("parley_http_held_polls")).toBe(0);
  });
});

test("sends are counted by message and by commit", async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `message ${index}`);
  const send = () => Promise.all(texts.map((text) => say("ada", text)));
  const before = (await read()).value("parley_send_batch_messages_count") ?? 0;
  expect(await growth("parley_messages_sent_total", {}, send)).toBe(40);
  const commits = ((await read()).value("parley_send_batch_messages_count") ?? 0) - before;
  expect(commits).toBeGreaterThan(0);
  expect(commits).toBeLessThan(40);
  const poll = { type: "channel", to: "plans", topic: "metrics", content: "/poll Tea?\nYes" };
  expect(await growth("parley_messages_sent_total", {}, () => as("ada").post("/messages", poll))).toBe(1);
});

test("memory that is behind the log is reported until it has caught up", async () => {
  const { database } = harness.services;
  const position = (await read()).value("parley_log_position") as number;
  const config = readConfig({ PARLEY_ENV: "development" });
  const other = await Node.start(config, database.connection, {
    organizationId: harness.state.organizationId,
  });
  try {
    await other.say(harness.user("ada").email, await harness.channel("elsewhere", ["ada"]), "hello");
    await follower.look();
    expect((await read()).value("parley_log_behind_positions")).toBeGreaterThan(0);
    await harness.state.catchUp();
    await follower.look();
    expect((await read()).value("parley_log_behind_positions")).toBe(0);
    expect((await read()).value("parley_log_position")).toBeGreaterThan(position);
  } finally {
    await other.stop();
  }
});

test("who waits for a connection to the database is counted by lane", async () => {
  const { database } = harness.services;
  const background = { lane: "background" };
  let release = () => {};
  const end = new Promise<void>((resolve) => {
    release = resolve;
  });
  const work = [1, 2, 3].map(() =>
    database.transaction(
      async (tx) => {
        await tx.query(sql`select 1`);
        await end;
      },
      { lane: "background" },
    ),
  );
  await expect.poll(async () => (await read()).value("parley_database_lane_taken", background)).toBe(2);
  expect((await read()).value("parley_database_lane_waiting", background)).toBe(1);
  release();
  await Promise.all(work);
  const after = await read();
  expect(after.value("parley_database_lane_taken", background)).toBe(0);
  expect(after.value("parley_database_lane_waiting", background)).toBe(0);
  expect(after.value("parley_database_lane_waits_total", background)).toBe(1);
  expect(after.value("parley_database_lane_waited_seconds_total", background)).toBeGreaterThan(0);
});

test("the search backlog and the jobs that wait are read from the database", async () => {
  await enqueue(harness.services.database, forgetFailedJobs, {});
  const fresh = new NodeMetrics({ services: harness.services, follower }, stats);
  const seen = new Exposition(await writeText([await fresh.read()]));
  // No follower of the search index runs here, so nothing of what was sent is indexed.
  expect(seen.value("parley_search_backlog_messages")).toBeGreaterThan(40);
  expect(seen.value("parley_jobs", { state: "due" })).toBe(1);
  expect(seen.value("parley_jobs", { state: "failed" })).toBe(0);
});

test("backups are read from the record of the server, and failures alone without a good one", async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-metrics-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const { services } = harness;
  const config = { ...services.config, dataDir, backup: "/mnt/backup" };
  const readBackups = async () => {
    const node = new NodeMetrics({ services: { ...services, config }, follower }, stats);
    const { families } = new Exposition(await writeText([await node.read()]));
    const own = [...families].filter(([name]) => name.startsWith("parley_backup_"));
    return Object.fromEntries(own.map(([name, { samples }]) => [name.slice(14), samples[0]?.value]));
  };
  expect(await readBackups()).toEqual({});
  const record = { target: "/mnt/backup", since: "2026-11-20T03:00:00.000Z", failures: 2 };
  await writeBackupRecord(dataDir, record);
  expect(await readBackups()).toEqual({ failures: 2 });
  const finishedAt = new Date(Date.now() - 3600_000);
  const startedAt = new Date(finishedAt.getTime() - 90_000);
  const times = { startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() };
  await writeBackupRecord(dataDir, { ...record, failures: 0, newest: { id: "one", ...times, bytes: 5000 } });
  const read = await readBackups();
  expect(read).toEqual({
    failures: 0,
    bytes: 5000,
    duration_seconds: 90,
    last_success_timestamp_seconds: finishedAt.getTime() / 1000,
    age_seconds: expect.any(Number),
  });
  expect(read.age_seconds).toBeGreaterThanOrEqual(3600);
});

test("the process describes itself by the names that Node's dashboards know", async () => {
  // The delay of the event loop is that since the last reading, and it is measured every ten milliseconds.
  await read();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const seen = await read();
  expect(seen.value("parley_build_info", { version: ownVersion, node: process.version })).toBe(1);
  for (const name of [
    "process_start_time_seconds",
    "process_resident_memory_bytes",
    "nodejs_heap_size_used_bytes",
    "nodejs_eventloop_lag_p50_seconds",
    "nodejs_eventloop_lag_p99_seconds",
    "nodejs_eventloop_lag_max_seconds",
  ]) {
    expect(seen.value(name), name).toBeGreaterThan(0);
  }
  expect(seen.families.get("nodejs_gc_duration_seconds")?.type).toBe("histogram");
});

test("names follow the conventions, and labels have only words that the program itself chose", async () => {
  const { families } = await read();
  const known: Record<string, (text: string) => boolean> = {
    operation: (text) => text === "none" || endpoints.some(({ name }) => name === text),
    class: (text) => /^[1-5]xx$/.test(text),
    le: (text) => text === "+Inf" || Number(text) > 0,
    lane: (text) =>
      ["changes", "locked", "places", "reads", "registrations", "searches", "background"].includes(text),
    state: (text) => ["due", "failed", "waiting", "refused"].includes(text),
    part: (text) =>
      ["database", "disk", "files", "mail", "jobs", "clock", "backup", "certificate"].includes(text),
    place: (text) => ["data", "files"].includes(text),
    version: (text) => text === ownVersion,
    node: (text) => text === process.version,
  };
  const own = [...families].filter(([name]) => name.startsWith("parley_"));
  expect(own.length).toBeGreaterThan(20);
  for (const [name, { type, samples }] of own) {
    expect(name.endsWith("_total"), name).toBe(type === "counter");
    for (const { labels } of samples) {
      for (const [label, text] of Object.entries(labels)) {
        expect(known[label]?.(text), `${name}: ${label}="${text}"`).toBe(true);
      }
    }
  }
  const others = [...families.keys()].filter((name) => !/^(parley|process|nodejs)_/.test(name));
  expect(others).toEqual([]);
});

describe("the alerts and the dashboard in deploy/", () => {
  const file = (...names: string[]) =>
    readFileSync(path.resolve(import.meta.dirname, "../..", ...names), "utf8");

  interface Rule {
    alert: string;
    expr: string;
    labels: { severity: string };
    annotations: { summary: string; runbook_url: string };
  }
  const { groups } = load(file("deploy", "prometheus", "alerts.yml")) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const { panels } = JSON.parse(file("deploy", "grafana", "parley.json")) as {
    panels: { targets: { expr: string }[] }[];
  };
  const questions = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const asked = new Set(
    questions.flatMap((expr) => expr.match(/\b(?:parley|nodejs|process)_[a-z0-9_]+/g) ?? []),
  );

  test("ask for metrics that are there and are documented", async () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-metrics-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const { services } = harness;
    const time = new Date().toISOString();
    const newest = { id: "one", startedAt: time, finishedAt: time, bytes: 1 };
    await writeBackupRecord(dataDir, { target: "/mnt/backup", since: time, failures: 0, newest });
    const config = { ...services.config, dataDir, backup: "/mnt/backup" };
    services.health.start();
    onTestFinished(() => services.health.stop());
    const node = new NodeMetrics({ services: { ...services, config }, follower }, stats);
    const read = async () => new Exposition(await writeText([await node.read()])).families;
    await expect.poll(async () => [...(await read()).keys()]).toContain("parley_disk_free_bytes");
    const families = await read();
    const page = file("docs", "running.md");
    expect(asked.size).toBeGreaterThan(15);
    for (const name of asked) {
      const family = name.replace(/_(bucket|sum|count)$/, "");
      expect(families.has(name) || families.get(family)?.type === "histogram", name).toBe(true);
      expect(page).toContain(`\`${families.has(name) ? name : family}\``);
    }
  });

  test("are few, and each alert has a section that says what to do", () => {
    expect(rules.length).toBeLessThanOrEqual(12);
    const headings = [...file("docs", "alerts.md").matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, labels, annotations } of rules) {
      expect(annotations.runbook_url).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
      expect(["page", "ticket"]).toContain(labels.severity);
    }
  });
});

test("mails are counted by state, with the age of the oldest that waits", async () => {
  const { organizationId } = harness.state;
  const { database } = harness.services;
  const fresh = async () => {
    const source: NodeMetricsSource = { services: harness.services, follower };
    return new Exposition(await writeText([await new NodeMetrics(source, stats).read()]));
  };
  await database.query(sql`
    insert into mails (organization_id, encrypted, queued_at, refused_at)
    values (${organizationId}, '', now() - interval '1 hour', null), (${organizationId}, '', now(), now()),
      (${organizationId}, '', now(), null)`);
  await database.query(sql`
    select count(graphile_worker.add_job('deliver_mail', json_build_object('organizationId', organization_id,
      'mailId', id), run_at => now() + interval '1 hour'))
    from (select organization_id, min(id) as id from mails group by 1) oldest`);
  const read = await fresh();
  for (const state of ["waiting", "failed", "refused"]) {
    expect([state, read.value("parley_mails", { state })]).toEqual([state, 1]);
  }
  expect(read.value("parley_mail_oldest_seconds")).toBeGreaterThanOrEqual(3600);
  await database.query(sql`delete from mails`);
  expect((await fresh()).value("parley_mail_oldest_seconds")).toBe(0);
});
