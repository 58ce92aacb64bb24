import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { findProcesses } from "../harness/checkout.ts";
import {
  api,
  build,
  call,
  type Json,
  run,
  type Server,
  signIn,
  start,
  usedDirectory,
  waitUntil,
} from "./parley.ts";
import { killWorkerBeingHandedConnections, settled, workersOf } from "./worker-processes.ts";

beforeAll(build);

/** A server on the demo organization's data. */
async function startWorkers(env: Record<string, string> = {}): Promise<Server & { dataDir: string }> {
  const dataDir = await usedDirectory("demo");
  const server = await start(["serve", "--workers", "2"], {
    env: { PARLEY_DATA_DIR: dataDir, PARLEY_ENV: "development", ...env },
  });
  return { ...server, dataDir };
}

/** One call on a connection of its own, which the next worker in turn gets; with `params`, it posts them. */
async function onNewConnection(
  server: Server,
  path: string,
  key: string,
  params?: Record<string, string>,
): Promise<{ headers: http.IncomingHttpHeaders; body: Json }> {
  const request = http.request(`${server.url}/api/v1${path}`, {
    agent: false,
    method: params ? "POST" : "GET",
    headers: {
      authorization: `Basic ${Buffer.from(key).toString("base64")}`,
      ...(params && { "content-type": "application/x-www-form-urlencoded" }),
    },
  });
  request.end(params && new URLSearchParams(params).toString());
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  return { headers: response.headers, body: (await json(response)) as Json };
}

describe("a server with two workers", () => {
  test("prints its address once, serves any queue by any worker, and stops properly", async () => {
    const server = await startWorkers();
    expect(server.stdout().match(/^listening on /gm)).toHaveLength(1);
    expect(server.stdout()).toMatch(/^ {2}workers {3}2$/m);
    expect(workersOf(server)).toHaveLength(2);
    const key = await signIn(server);
    const place = { type: "channel", to: "general", topic: "workers" };
    const { body: queue } = await api(server, "POST", "/register", { event_types: ["message"] }, key);
    const heard: string[] = [];
    let last = queue.last_event_id as number;
    for (let count = 0; count < 12; count++) {
      const poll = onNewConnection(server, `/events?queue_id=${queue.queue_id}&last_event_id=${last}`, key);
      await api(server, "POST", "/messages", { ...place, content: `number ${count}` }, key);
      const { events } = (await poll).body;
      for (const { message } of events) heard.push(message.content);
      last = events.at(-1).id;
    }
    expect(heard).toEqual(Array.from({ length: 12 }, (_, count) => `number ${count}`));
    const held = api(server, "GET", "/events", { queue_id: queue.queue_id, last_event_id: last }, key);
    expect((await api(server, "GET", "/users/me", {}, key)).status).toBe(200);
    const end = await server.stop("SIGTERM");
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(end.tookMs).toBeLessThan(5000);
    expect((await held).body).toHaveProperty("result");
    const said = server
      .stderr()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).msg);
    expect(said).toEqual(["started", "SIGTERM: stopping", expect.stringMatching(/^stopped after/)]);
    expect(findProcesses(server.dataDir)).toEqual([]);
  });

  test("replaces a worker that is killed, and the other serves meanwhile", async () => {
    const server = await startWorkers();
    const key = await signIn(server);
    const { body: queue } = await api(server, "POST", "/register", { event_types: ["message"] }, key);
    const [victim, other] = workersOf(server) as [number, number];
    process.kill(victim, "SIGKILL");
    const message = { type: "channel", to: "general", topic: "x", content: "still here" };
    // Two in turn: had the dead one been asked, the first or the second would have no answer.
    const sent = await onNewConnection(server, "/messages", key, message);
    const sentNext = await onNewConnection(server, "/messages", key, message);
    expect(sentNext.body.result).toBe("success");
    await waitUntil(() => workersOf(server).length === 2, "another has taken its place");
    expect(workersOf(server)).toContain(other);
    const { body } = await onNewConnection(
      server,
      `/events?queue_id=${queue.queue_id}&last_event_id=${queue.last_event_id}`,
      key,
    );
    expect(body.events).toMatchObject([sent, sentNext].map(({ body: { id } }) => ({ message: { id } })));
    expect(server.stderr()).toContain("a worker ended; another takes its place");
    expect(server.stdout().match(/^listening on /gm)).toHaveLength(1);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test("goes on at the same address when all workers die at once", async () => {
    const server = await startWorkers();
    for (const pid of workersOf(server)) process.kill(pid, "SIGKILL");
    const isHealthy = async () => {
      const response = await fetch(`${server.url}/health`).catch(() => undefined);
      return response?.status === 200;
    };
    await waitUntil(async () => workersOf(server).length === 2 && (await isHealthy()), "it serves again");
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test("gives a connection that was being handed to a killed worker to another one", async () => {
    const server = await startWorkers();
    expect(await killWorkerBeingHandedConnections(server)).toEqual(Array(6).fill(200));
    expect(server.stderr()).not.toContain("node:cluster");
    await server.stop();
  });

  test("serves, and replaces a worker, on a Node whose cluster module works in another way", async () => {
    // The parent sees no internal messages.
    const change = `import cluster from "node:cluster";
      const fork = cluster.fork;
      cluster.fork = () => {
        const worker = fork();
        const on = worker.process.on;
        worker.process.on = (name, listener) =>
          name === "internalMessage" ? worker.process : on.call(worker.process, name, listener);
        return worker;
      };`;
    const server = await startWorkers({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(change)}`,
    });
    const [victim] = workersOf(server) as [number, number];
    process.kill(victim, "SIGKILL");
    await waitUntil(
      () => workersOf(server).length === 2 && !workersOf(server).includes(victim),
      "another has taken its place",
    );
    // A connection that was on its way to the victim may never be answered.
    let key = "";
    const hasKey = async () => {
      key = (await Promise.race([signIn(server), sleep(3_000)])) ?? "";
      return key !== "";
    };
    await waitUntil(hasKey, "a client signs in");
    for (let count = 0; count < 4; count++) await onNewConnection(server, "/users/me", key);
    expect(server.stderr().match(/node:cluster works in an unknown way/g)).toHaveLength(1);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test("closes connections that were being handed to its last worker, so clients retry", async () => {
    const server = await startWorkers();
    const workers = workersOf(server);
    for (const pid of workers) process.kill(pid, "SIGSTOP");
    const calls = Array.from({ length: 6 }, () =>
      fetch(`${server.url}/api/v1/server_settings`, { headers: { connection: "close" } }).then(
        ({ status }) => status,
        () => "closed",
      ),
    );
    await sleep(200);
    for (const pid of workers) process.kill(pid, "SIGKILL");
    await waitUntil(async () => (await settled(calls)).length === 6, "nobody waits any more", 10_000);
    expect(await Promise.all(calls)).toEqual(calls.map(() => "closed"));
    await server.stop();
  });

  test("ends its workers when it is killed itself", async () => {
    const server = await startWorkers();
    const workers = workersOf(server);
    server.child.kill("SIGKILL");
    await server.end;
    const isGone = (pid: number) => !findProcesses("worker.js").some((each) => each.pid === pid);
    await waitUntil(() => workers.every(isGone), "the workers are gone");
    await waitUntil(() => findProcesses(server.dataDir).length === 0, "the database has stopped", 10_000);
  });

  test("has the rate limit of a single process", async () => {
    const server = await startWorkers();
    const key = await signIn(server);
    let calls = 0;
    const remaining = async () => {
      calls++;
      return Number((await onNewConnection(server, "/users/me", key)).headers["x-ratelimit-remaining"]);
    };
    const before = await remaining();
    for (let count = 0; count < 10; count++) await remaining();
    // Each gets every other call itself. What one has counted the other knows a moment later.
    await waitUntil(async () => {
      const spent = [before - (await remaining()), before - (await remaining())];
      return spent.every((each) => each > 0.7 * calls);
    }, "both workers count all calls");
    await server.stop();
  });
});

describe("a server with workers that can't start says why, once", () => {
  test("when the port is taken", async () => {
    const blocker = net.createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const { port } = blocker.address() as net.AddressInfo;
    const dataDir = await usedDirectory("serve");
    const { code, stdout, stderr } = await call(["serve", "--workers", "3"], {
      env: { PARLEY_DATA_DIR: dataDir, PARLEY_PORT: String(port) },
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 75,
      stdout: "",
      stderr: `Port ${port} on 127.0.0.1 is already in use, perhaps by another Parley server. Stop that program, or choose another port with PARLEY_PORT. (P113)\n`,
    });
    await waitUntil(() => findProcesses(dataDir).length === 0, "no process is left");
    blocker.close();
  });

  test.each(["0", "65", "two", "-1"])("when the number is '%s'", async (count) => {
    const { code, stderr } = await call(["serve", `--workers=${count}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--workers is '${count}', but must be a whole number from 1 to 64.`);
  });
});

test("a server with workers that is stopped while it starts leaves nothing behind", async () => {
  const dataDir = await usedDirectory("serve");
  const server = run(["serve", "--workers", "2"], { env: { PARLEY_DATA_DIR: dataDir } });
  await waitUntil(() => workersOf(server).length > 0, "the first worker is there");
  server.child.kill("SIGTERM");
  expect(await server.end).toMatchObject({ code: 0, signal: null });
  await waitUntil(() => findProcesses(dataDir).length === 0, "the database has stopped");
});
