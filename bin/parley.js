#!/usr/bin/env node
// The command of a checkout. It rebuilds dist/ if a source has changed since the last build, then runs it.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isStale, isWebStale } from "../tools/is-stale.js";

const checkout = fileURLToPath(new URL("..", import.meta.url));

if (isStale()) await rebuild();
if (process.exitCode === undefined && ["serve", "demo"].includes(process.argv[2] ?? "")) buildWeb();
if (process.exitCode === undefined) await import("../dist/program/main.js");

async function rebuild() {
  const { build, hasBuild, NotWritable } = await import("../tools/build.js");
  try {
    build();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ERR_MODULE_NOT_FOUND") {
      // The compiler is the first package that a fresh checkout needs.
      fail(`Parley's packages are not installed. Run \`npm ci\` first, in ${checkout}`);
    } else if (error instanceof NotWritable && hasBuild()) {
      // A checkout that belongs to another user: the owner's last build is better than nothing.
      console.error(`Warning: running an older build, since a newer one can't be written. ${reason}`);
    } else {
      fail(`Parley can't be built in ${checkout}. ${reason}`);
    }
  }
}

/** In a process of its own, whose memory is free again. The server also works without the browser's client. */
function buildWeb() {
  if (!isWebStale()) return;
  const script = fileURLToPath(new URL("../tools/build-web.js", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  if (status !== 0) console.error(`Warning: the web client can't be built. ${stderr.trim()}`);
}

/** @param {string} sentence */
function fail(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}
