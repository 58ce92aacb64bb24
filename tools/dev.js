// Development: a demo organization that keeps its data in data/dev, built and started again whenever a source
// changes. What follows the script's name goes to the program in place of `demo`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "./build.js";
import { buildWeb } from "./build-web.js";
import { isStale, newestSource, newestWebSource } from "./is-stale.js";

const checkout = fileURLToPath(new URL("..", import.meta.url));
const program = path.join(checkout, "dist", "cli", "main.js");
/** Looking costs a few milliseconds. Node's watching of folders loses files that an editor replaces. */
const LOOK_EVERY_MS = 250;
/** A server that was asked to stop has this long; it promises five seconds. */
const STOP_MS = 6_000;

/** @type {import("node:child_process").ChildProcess | undefined} */
let child;
let isEnding = false;

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, end);
for (let seen = -1; !isEnding; await sleep(LOOK_EVERY_MS)) {
  const newest = Math.max(newestSource(), newestWebSource());
  if (newest !== seen) await refresh();
  seen = newest;
}

/** Builds, and starts the program again. Sources that can't be compiled leave the running one as it is. */
async function refresh() {
  try {
    if (isStale()) build();
    await buildWeb();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return;
  }
  await stop();
  if (!isEnding) start();
}

function start() {
  const words = process.argv.length > 2 ? process.argv.slice(2) : ["demo"];
  const env = {
    PARLEY_ENV: "development",
    PARLEY_DATA_DIR: path.join(checkout, "data", "dev"),
    ...process.env,
  };
  // In a group of its own, a Ctrl+C reaches it once, from here.
  child = spawn(process.execPath, ["--enable-source-maps", program, ...words], {
    stdio: "inherit",
    env,
    detached: true,
  });
}

async function stop() {
  const stopping = child;
  child = undefined;
  if (!stopping || stopping.exitCode !== null || stopping.signalCode !== null) return;
  const ended = once(stopping, "exit");
  stopping.kill("SIGTERM");
  const timer = setTimeout(() => stopping.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(timer);
}

async function end() {
  if (isEnding) return;
  isEnding = true;
  await stop();
  process.exit(0);
}
