import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServices } from "../../server/app.ts";
import { channels } from "../../server/channels/channel.ts";
import { type Config, readConfig } from "../../server/config.ts";
import { loadNats } from "../../server/platform/bus/nats-module.ts";
import { migrate } from "../../server/platform/db/migrate.ts";
import { startThrowAwayPostgres } from "../../server/platform/postgres/throw-away.ts";
import { createDemo } from "../../server/website/demo/create-demo.ts";
import { Node } from "../harness/node.ts";

const ada = "ada@demo.test";
const dev = "dev@demo.test";
/**
 * The check of the heads runs once a second. It finds a message after half of that on average, later on a
 * busy machine.
 */
const LOOK_MS = 1000;
const SLACK_MS = 1500;
const PASSWORD = "hidden-in-no-log";

let postgres: Awaited<ReturnType<typeof startThrowAwayPostgres>>;
let port: number;
/** The place of files of each database, named after it. */
let filesDir: string;
let nats: ChildProcess | undefined;
let one: Node;
let two: Node;
const lines: string[] = [];
const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });

beforeAll(async () => {
  postgres = await startThrowAwayPostgres();
  port = await freePort();
  filesDir = await mkdtemp(join(tmpdir(), "parley-nats-"));
  nats = await startNats();
  await prepare("parley");
  one = await startNode("parley");
  two = await startNode("parley");
  await untilFast();
});

afterAll(async () => {
  await Promise.all([one, two].map((node) => node?.stop()));
  await killNats();
  await postgres?.stop();
  await rm(filesDir, { recursive: true, force: true });
});

/** Missing binaries are named, with Debian's package. */
async function startNats(): Promise<ChildProcess> {
  const { error } = spawnSync("nats-server", ["--version"]);
  if (error) throw new Error(`nats-server is missing (Debian's package nats-server): ${error.message}`);
  const options = ["-a", "127.0.0.1", "-p", String(port), "--user", "parley", "--pass", PASSWORD];
  const child = spawn("nats-server", options, { stdio: "ignore" });
  while (!(await canConnect(port))) {
    if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
    await sleep(20);
  }
  return child;
}

async function killNats(): Promise<void> {
  if (!nats) return;
  const gone = once(nats, "exit");
  nats.kill("SIGKILL");
  await gone;
  nats = undefined;
}

function configOf(database: string, url = `nats://parley:${PASSWORD}@127.0.0.1:${port}`): Config {
  const PARLEY_FILES = join(filesDir, database);
  return readConfig({ PARLEY_ENV: "development", PARLEY_NATS_URL: url, PARLEY_FILES });
}

/** A database with the demo organization. */
async function prepare(database: string): Promise<void> {
  const connection = { ...postgres.connection, database };
  await migrate(connection);
  const services = await openServices(configOf(database), pino({ level: "silent" }), connection);
  await createDemo(services, "localhost");
  await services.database.close();
}

function startNode(database: string, url?: string): Promise<Node> {
  return Node.start(configOf(database, url), { ...postgres.connection, database }, { log });
}

function general(node: Node) {
  const found = node.state.get(channels).findByName("general");
  if (!found) throw new Error("the demo organization has no channel 'general'");
  return found;
}

/** Milliseconds from a send to its arrival at a held poll of the other node. */
async function delay(from = one, to = two): Promise<number> {
  const queueId = await to.open(dev);
  const heard = to.poll(dev, queueId, -1);
  const startedAt = performance.now();
  await from.say(ada, general(from), "how long?");
  await heard;
  const took = performance.now() - startedAt;
  await to.services.queues.remove(to.state, to.viewer(dev).user.id, queueId);
  return took;
}

async function delays(count: number): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index++) all.push(await delay());
  return all.sort((a, b) => a - b);
}

/** Waits for several fast deliveries in a row, since one alone may be due to the check of the heads. */
async function untilFast(): Promise<void> {
  const endsAt = performance.now() + 20_000;
  for (let inARow = 0; inARow < 5; ) {
    inARow = (await delay()) < 200 ? inARow + 1 : 0;
    if (performance.now() > endsAt) throw new Error("notices do not get through");
  }
}

describe("servers with NATS between them", () => {
  test("get each other's messages at once, without notifications by PostgreSQL", async () => {
    const listener = new pg.Client(postgres.connection);
    await listener.connect();
    let notifications = 0;
    listener.on("notification", () => notifications++);
    await listener.query("listen parley_log; listen parley_queues");
    const took = await delays(20);
    // By the check alone, half of them would take more than half a second.
    expect(took[10]).toBeLessThan(250);
    await listener.query("select 1");
    expect(notifications).toBe(0);
    await listener.end();
  });

  test("release a queue that is polled at the other", async () => {
    const queueId = await one.open(dev);
    const older = one.poll(dev, queueId, -1);
    const newer = two.poll(dev, queueId, -1);
    expect(await older).toEqual([]);
    await one.say(ada, general(one), "for the newer poll");
    expect((await newer).map(({ content }) => content)).toEqual(["for the newer poll"]);
  });

  test("lose no message when NATS is killed: all arrive in order, within about a second", async () => {
    const queueId = await two.open(dev);
    const sentAt = new Map<string, number>();
    const heardAt = new Map<string, number>();
    let isOver = false;
    const sending = (async () => {
      for (let count = 0; !isOver; count++) {
        sentAt.set(`load ${count}`, performance.now());
        await one.say(ada, general(one), `load ${count}`);
        await sleep(5);
      }
    })();
    const listening = (async () => {
      for (let last = -1; !isOver || heardAt.size < sentAt.size; ) {
        for (const { id, content } of await two.poll(dev, queueId, last)) {
          heardAt.set(content, performance.now());
          last = id;
        }
      }
    })();
    await sleep(500);
    const killedAt = performance.now();
    await killNats();
    await sleep(2500);
    isOver = true;
    await Promise.all([sending, listening]);
    expect([...heardAt.keys()]).toEqual([...sentAt.keys()]);
    const after = [...sentAt].filter(([, at]) => at > killedAt);
    const took = after.map(([content, at]) => (heardAt.get(content) as number) - at);
    expect(Math.max(...took)).toBeLessThan(LOOK_MS + SLACK_MS);
    // Without NATS the check finds them, so this also shows that the test can detect the difference.
    expect(Math.max(...took)).toBeGreaterThan(LOOK_MS / 3);
  });

  test("start without NATS, and are fast again once it is back", async () => {
    expect(await canConnect(port)).toBe(false);
    const third = await startNode("parley");
    expect(await delay(one, third)).toBeLessThan(LOOK_MS + SLACK_MS);
    nats = await startNats();
    await untilFast();
    const took: number[] = [];
    const endsAt = performance.now() + 20_000;
    // The third node has to connect by itself.
    while (took.length < 5 && performance.now() < endsAt) {
      const ms = await delay(one, third);
      if (ms < 200) took.push(ms);
      else took.length = 0;
    }
    expect(took).toHaveLength(5);
    await third.stop();
  });

  test("share NATS with another installation under separate subjects", async () => {
    const superuser = new pg.Client(postgres.superuser);
    await superuser.connect();
    await superuser.query(`create database other owner ${postgres.connection.user}`);
    await superuser.end();
    await prepare("other");
    const other = await startNode("other");
    const subjects = new Set<string>();
    const { connect: open } = await loadNats();
    const spy = await open({ servers: `127.0.0.1:${port}`, user: "parley", pass: PASSWORD });
    spy.subscribe("parley.>", {
      callback: (_error, message) => void subjects.add((message as unknown as { subject: string }).subject),
    });
    const endsAt = performance.now() + 10_000;
    while (subjects.size < 2 && performance.now() < endsAt) {
      await one.say(ada, general(one), "here");
      await other.say(ada, general(other), "there");
      await sleep(50);
    }
    const heads = [...subjects].filter((subject) => subject.endsWith(".log"));
    expect(heads).toHaveLength(2);
    await spy.close();
    await other.stop();
  });

  test("log that NATS is lost, is back or refuses them, but never its password", async () => {
    const refused = await startNode("parley", `nats://parley:wrong-${PASSWORD}@127.0.0.1:${port}`);
    const endsAt = performance.now() + 10_000;
    while (!lines.join("").includes("can't be reached") && performance.now() < endsAt) await sleep(20);
    expect(await delay(one, refused)).toBeLessThan(LOOK_MS + SLACK_MS);
    await refused.stop();
    const text = lines.join("");
    expect(text).toContain("connected to NATS");
    expect(text).toContain("NATS is gone");
    expect(text).toContain("NATS is back");
    expect(text).toContain("NATS can't be reached");
    expect(text).not.toContain(PASSWORD);
  });
});

function canConnect(to: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(to, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address() as { port: number };
      server.close(() => resolve(free));
    });
  });
}
