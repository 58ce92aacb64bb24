#!/usr/bin/env node
// The command of a checkout: brings dist/ up to date if a source has changed since it was built, then runs it.
import { fileURLToPath } from "node:url";
import { isStale } from "../tools/is-stale.js";

if (isStale()) await bringUpToDate();
if (process.exitCode === undefined) await import("../dist/cli/main.js");

async function bringUpToDate() {
  const { build, hasBuild, NotWritable } = await import("../tools/build.js");
  try {
    build();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // A checkout that belongs to another user: what its owner built last is better than nothing.
    if (error instanceof NotWritable && hasBuild()) {
      console.error(`Warning: running an older build, since a newer one can't be written. ${reason}`);
    } else {
      const checkout = fileURLToPath(new URL("..", import.meta.url));
      console.error(`Parley can't be built in ${checkout}. ${reason}`);
      process.exitCode = 1;
    }
  }
}
