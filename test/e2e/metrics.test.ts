import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { Exposition } from "../harness/exposition.ts";
import { api, build, call, type Server, signIn, start, usedDirectory, waitUntil } from "./parley.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

beforeAll(build);

/** A server on the demo organization's data, with the address of its metrics. */
async function startMeasured(words: string[]): Promise<Server & { metrics: string }> {
  const server = await start(["serve", ...words], {
    env: {
      PARLEY_DATA_DIR: await usedDirectory("demo"),
      PARLEY_ENV: "development",
      PARLEY_METRICS: "127.0.0.1:0",
    },
  });
  const [, metrics = ""] =
    /^ {2}metrics {3}(http:\/\/127\.0\.0\.1:\d+\/metrics)$/m.exec(server.stdout()) ?? [];
  return { ...server, metrics };
}

async function scrape({ metrics }: { metrics: string }): Promise<Exposition> {
  const response = await fetch(metrics);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  return new Exposition(await response.text());
}

/** The local TCP ports on which a process listens, from /proc. */
function portsOf(pid: number): number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      } catch {
        // It was closed since the directory was read.
        return undefined;
      }
    }),
  );
  return ["tcp", "tcp6"].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === "0A" && inodes.has(columns[9]))
      .map(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "", 16)),
  );
}

function workersOf({ child }: Pick<Server, "child">): number[] {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
  return children
    .trim()
    .split(" ")
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("worker.js"));
}

const calls = { operation: "getOwnUser", class: "2xx" };

describe("a server with PARLEY_METRICS", () => {
  test("serves metrics there, and not at its public address", async () => {
    const server = await startMeasured([]);
    expect(portsOf(server.child.pid as number)).toHaveLength(2);
    const key = await signIn(server);
    expect((await api(server, "GET", "/users/me", {}, key)).status).toBe(200);
    expect((await scrape(server)).value("parley_http_calls_total", calls)).toBe(1);
    expect((await scrape(server)).value("parley_disk_free_bytes", { place: "data" })).toBeGreaterThan(0);
    const isDatabaseWell = async () =>
      (await scrape(server)).value("parley_health", { part: "database" }) === 0;
    await waitUntil(isDatabaseWell, "the server has looked at its parts");
    for (const path of ["/metrics", "/api/v1/metrics", "/api/metrics"]) {
      expect((await fetch(server.url + path)).status, path).toBe(404);
    }
    expect((await fetch(new URL("/health", server.metrics))).status).toBe(404);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test("says which setting is wrong when the address can't be used", async () => {
    const first = await startMeasured([]);
    const env = {
      PARLEY_DATA_DIR: await usedDirectory("serve"),
      PARLEY_METRICS: new URL(first.metrics).host,
    };
    for (const words of [["serve"], ["serve", "--workers", "2"]]) {
      const second = await call(words, { env });
      expect(second.code).toBe(75);
      expect(second.stderr).toMatch(
        /^Port \d+ on 127\.0\.0\.1 is already in use.*PARLEY_METRICS\. \(P113\)\n$/,
      );
    }
    const wrong = await call(["serve"], { env: { ...env, PARLEY_METRICS: "9992" } });
    expect(wrong).toMatchObject({ code: 78 });
    expect(wrong.stderr).toContain("PARLEY_METRICS is '9992', but must have the form");
  });
});

test("a server without the setting listens at its public address only, and loads no library", async () => {
  const server = await start(["serve"], { env: { PARLEY_DATA_DIR: await usedDirectory("serve") } });
  expect(portsOf(server.child.pid as number)).toEqual([Number(server.port)]);
  expect(server.stdout()).not.toContain("metrics");
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  await server.stop();
  const programs = ["cli/commands/serve", "server/process/single", "server/process/cluster"];
  expect(loadsLibrary(...programs)).toBe(false);
  expect(loadsLibrary("server/process/node-metrics")).toBe(true);
});

/** Whether these built modules and all that they import load the library for metrics. */
function loadsLibrary(...modules: string[]): boolean {
  const script = `
    import { createRequire } from "node:module";
    for (const module of ${JSON.stringify(modules)}) await import(\`${root}dist/\${module}.js\`);
    console.log(Object.keys(createRequire("${root}").cache).some((file) => file.includes("prom-client")));
    process.exit();`;
  const options = { encoding: "utf8" } as const;
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], options).trim() === "true";
}

describe("a server with two workers", () => {
  /** Calls on connections of their own go to the workers in turn. */
  async function callEach(server: Server, key: string, times: number): Promise<void> {
    for (let count = 0; count < times; count++) {
      const response = await fetch(`${server.url}/api/v1/users/me`, {
        headers: { authorization: `Basic ${Buffer.from(key).toString("base64")}`, connection: "close" },
      });
      expect(response.status).toBe(200);
    }
  }

  test("adds up what its workers count, also when one is silent, ends and is replaced", async () => {
    const server = await startMeasured(["--workers", "2"]);
    const key = await signIn(server);
    await callEach(server, key, 6);
    const all = await scrape(server);
    expect(all.value("parley_http_calls_total", calls)).toBe(6);
    expect(all.value("parley_workers_answering")).toBe(2);
    expect(all.value("process_start_time_seconds")).toBeGreaterThan(0);
    const [victim, other] = workersOf(server) as [number, number];
    for (const pid of [victim, other]) expect(portsOf(pid)).toEqual([]);

    process.kill(victim, "SIGSTOP");
    const startedAt = performance.now();
    const silent = await scrape(server);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    expect(silent.value("parley_workers_answering")).toBe(1);
    expect(silent.value("parley_http_calls_total", calls)).toBe(6);

    process.kill(victim, "SIGKILL");
    await waitUntil(() => workersOf(server).length === 2, "another has taken its place");
    await waitUntil(async () => (await scrape(server)).value("parley_workers_answering") === 2, "it answers");
    expect((await scrape(server)).value("parley_http_calls_total", calls)).toBe(6);
    await callEach(server, key, 4);
    expect((await scrape(server)).value("parley_http_calls_total", calls)).toBe(10);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    expect(server.stderr()).not.toContain("metrics");
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});
