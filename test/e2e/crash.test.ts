import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findProcesses } from "../harness/checkout.ts";
import {
  api,
  build,
  call,
  type Json,
  people,
  signIn,
  start,
  temporaryDirectory,
  usedDirectory,
  waitUntil,
} from "./parley.ts";

beforeAll(build);

test("a server killed right after it acknowledged messages keeps them and its queues", async () => {
  const env = { PARLEY_DATA_DIR: await usedDirectory("demo") };
  const before = await start(["demo"], { env });
  const key = await signIn(before);
  const devKey = await signIn(before, "dev@demo.test");
  const { body: queue } = await api(before, "POST", "/register", { event_types: ["message"] }, devKey);
  const send = (server: { url: string }, content: string) =>
    api(server, "POST", "/messages", { type: "channel", to: "general", topic: "crash", content }, key);

  const first = await send(before, "one");
  const { body: read } = await poll(before, queue.queue_id, queue.last_event_id, devKey);
  expect(read.events.map(idOf)).toEqual([first.body.id]);
  const acknowledged = read.events[0].id;

  // Many at once, and the process is gone the moment the first answer is there.
  const sends = Array.from({ length: 30 }, (_, index) =>
    send(before, `burst ${index}`).catch(() => undefined),
  );
  await Promise.race(sends);
  before.child.kill("SIGKILL");
  const answers = (await Promise.all(sends)).filter((answer) => answer !== undefined);
  expect(answers.length).toBeGreaterThan(0);
  await before.end;

  const after = await start(["demo"], { env });
  const { body: resumed } = await poll(after, queue.queue_id, acknowledged, devKey);
  const seen = resumed.events.map(idOf);
  for (const { body } of answers) expect(seen).toContain(body.id);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual([...seen].sort((a: number, b: number) => a - b));
  expect(seen).not.toContain(first.body.id);

  // The queue also gets new events.
  const next = poll(after, queue.queue_id, resumed.events.at(-1).id, devKey);
  const { body: late } = await send(after, "after the crash");
  expect((await next).body.events.map(idOf)).toEqual([late.id]);
  await after.stop();
});

test("the database of a server that is killed stops within seconds", async () => {
  const dataDir = await usedDirectory("serve");
  const server = await start(["serve"], { env: { PARLEY_DATA_DIR: dataDir } });
  expect(findProcesses(dataDir).length).toBeGreaterThan(0);
  server.child.kill("SIGKILL");
  await server.end;
  await waitUntil(() => findProcesses(dataDir).length === 0, "the database has stopped", 10_000);
});

test("a server whose database is killed restarts it and goes on with the same queues", async () => {
  const dataDir = await usedDirectory("demo");
  const server = await start(["demo"], { env: { PARLEY_DATA_DIR: dataDir } });
  const key = await signIn(server);
  const { body: queue } = await api(server, "POST", "/register", { event_types: ["message"] }, key);
  const send = (content: string) =>
    api(server, "POST", "/messages", { type: "channel", to: "general", topic: "crash", content }, key);
  const before = (await send("before")).body.id;
  for (const { pid } of findProcesses(path.join(dataDir, "postgres"))) process.kill(pid, "SIGKILL");
  await server.prints(/was ended by SIGKILL and is restarted/);
  // Requests under way when the database died may fail. Later ones wait for it.
  const answers = [];
  while (answers.at(-1)?.status !== 200) answers.push(await send(`after ${answers.length}`));
  expect(answers.slice(0, -1).filter(({ status }) => status < 500)).toEqual([]);
  const { body } = await poll(server, queue.queue_id, queue.last_event_id, key);
  expect(body.events.map(idOf)).toContain(before);
  expect(body.events.map(idOf).at(-1)).toBe(answers.at(-1)?.body.id);
  expect((await server.stop()).code).toBe(0);
});

test.each(people)(
  "a server whose database's socket is removed is back within seconds (%s)",
  async (_, person) => {
    const dataDir = path.join(temporaryDirectory(person), "data");
    const server = await start(["serve"], { env: { PARLEY_DATA_DIR: dataDir }, person });
    const lines = readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n");
    const [pid = "", , , , socketDir = ""] = lines;
    rmSync(path.dirname(socketDir), { recursive: true });
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    const isBackend = (child: string) =>
      readFileSync(`/proc/${child}/cmdline`, "utf8").includes("parley parley");
    process.kill(Number(children.find(isBackend)), "SIGKILL");
    await server.prints(/terminated by signal 9/);
    await server.prints(/removed the socket/);
    const isHealthy = () => fetch(`${server.url}/health`).then(({ ok }) => ok);
    await waitUntil(isHealthy, "the server answers again", 20_000);
    const listed = await call(["organization", "list"], { env: { PARLEY_DATA_DIR: dataDir }, person });
    expect(listed.stderr).not.toContain("ENOENT");
    const { code, tookMs } = await server.stop();
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(5000);
  },
);

test("a server whose database can't be restarted says so and exits with 1", async () => {
  const dataDir = await usedDirectory("serve");
  const server = await start(["serve"], { env: { PARLEY_DATA_DIR: dataDir } });
  rmSync(path.join(dataDir, "postgres", "global", "pg_control"));
  const killedAt = performance.now();
  for (const { pid } of findProcesses(path.join(dataDir, "postgres"))) process.kill(pid, "SIGKILL");
  expect(await server.end).toEqual({ code: 1, signal: null });
  expect(performance.now() - killedAt).toBeLessThan(15_000);
  expect(server.stderr()).toContain("The embedded PostgreSQL was ended by SIGKILL and can't be restarted.");
});

function poll(server: { url: string }, queueId: string, lastEventId: number, key: string) {
  return api(server, "GET", "/events", { queue_id: queueId, last_event_id: lastEventId }, key);
}

function idOf(event: Json): number {
  return event.message.id;
}
