/**
 * The demo organization's server as `npm run demo` starts it: memory at rest, and from its start to ready.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeTemporaryDirectory } from "../server/platform/postgres/throw-away.ts";
import { median, sleep } from "./harness/figures.ts";
import { size } from "./harness/options.ts";
import { addCleanUp, HEAP_FLAGS } from "./harness/processes.ts";
import { checkRest, printGoal, printTable, type Row, save } from "./harness/report.ts";
import { descendantsMB, residentMB } from "./harness/resident.ts";
import { scenario } from "./harness/scenario.ts";

const command = fileURLToPath(new URL("../../bin/parley.js", import.meta.url));
const STARTS = size(5, 1);
/** After a start, and after V8 has released the memory that only the start needed. */
const SOON_MS = size(5000, 500);
const AT_REST_MS = size(120_000, 1000);

interface Started {
  readyMs: number;
  server: ChildProcess;
  stop(): Promise<void>;
}

await scenario(async () => {
  checkRest();
  const dataDir = makeTemporaryDirectory("parley-bench-");
  addCleanUp(() => rmSync(dataDir, { recursive: true, force: true }));
  const first = await start(dataDir);
  await first.stop();
  const again: number[] = [];
  let memory: Memory | undefined;
  for (let count = 0; count < STARTS; count++) {
    const started = await start(dataDir);
    again.push(started.readyMs);
    if (count === STARTS - 1) memory = await watch(started.server.pid as number);
    await started.stop();
  }
  const bareMs = await timeBareStart();

  const rows: Row[] = [
    { what: "first start to ready, ms", value: first.readyMs },
    { what: "start to ready, ms (median)", value: median(again) },
    { what: "start to ready, ms (longest)", value: Math.max(...again) },
    { what: "an empty node process, ms", value: bareMs },
    { what: `server process, RSS in MB, after ${SOON_MS / 1000} s`, value: memory?.soonMB },
    { what: `server process, RSS in MB, after ${AT_REST_MS / 1000} s`, value: memory?.atRestMB },
    { what: "PostgreSQL's processes together, PSS in MB", value: memory?.databaseMB },
  ];
  printTable(`the demo organization at rest; ${HEAP_FLAGS.join(" ")}`, rows);
  console.log();
  if (memory?.atRestMB !== undefined)
    printGoal("server process at rest, RSS in MB", memory.atRestMB, { most: 95 });
  printGoal("start to ready on an existing data directory, ms", median(again), { most: 1200 });
  save("rest", { heapFlags: HEAP_FLAGS, firstMs: first.readyMs, readyMs: again, bareMs, memory });
});

/** All undefined if the system does not report them. */
interface Memory {
  soonMB: number | undefined;
  atRestMB: number | undefined;
  databaseMB: number | undefined;
}

async function watch(pid: number): Promise<Memory> {
  await sleep(SOON_MS);
  const soonMB = residentMB(pid);
  await sleep(AT_REST_MS - SOON_MS);
  return { soonMB, atRestMB: residentMB(pid), databaseMB: descendantsMB(pid) };
}

async function start(dataDir: string): Promise<Started> {
  const startedAt = performance.now();
  const server = spawn(process.execPath, [...HEAP_FLAGS, command, "demo"], {
    env: { ...process.env, PARLEY_DATA_DIR: dataDir, PARLEY_PORT: "0", PARLEY_LOG: "error" },
    stdio: ["ignore", "pipe", "inherit"],
    // A signal to the group is for the benchmark, which then ends the server.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
  };
  const forget = addCleanUp(stop);
  await readyLine(server, ended);
  return {
    readyMs: performance.now() - startedAt,
    server,
    stop: async () => {
      await stop();
      forget();
    },
  };
}

async function readyLine(server: ChildProcess, ended: Promise<void>): Promise<void> {
  let text = "";
  await Promise.race([
    new Promise<void>((resolve) => {
      server.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (text.includes("listening on ")) resolve();
      });
    }),
    ended.then(() => {
      throw new Error(`the server ended before it was ready\n${text}`);
    }),
  ]);
}

async function timeBareStart(): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < STARTS; count++) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
    await new Promise((resolve) => child.once("exit", resolve));
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
