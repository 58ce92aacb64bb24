// For `node --import`: writes the address of each module that the process loads into the file that
// NOTED_MODULES names, a line each.
import { appendFileSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

// The hooks run in a thread of their own, which imports this file again.
if (isMainThread) register(import.meta.url);

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
  appendFileSync(/** @type {string} */ (process.env.NOTED_MODULES), `${url}\n`);
  return next(url, context);
}
