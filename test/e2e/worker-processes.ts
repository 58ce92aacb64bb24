// The processes of `serve --workers`, and what happens to connections when one of them dies.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import { waitUntil } from "./parley.ts";

interface Running {
  child: ChildProcess;
  url: string;
}

/** The processes that serve, without the database's. */
export function workersOf(server: Pick<Running, "child">): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1];
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return Number(parent) === server.child.pid && command.includes("worker.js") ? [Number(name)] : [];
    } catch {
      // It has ended since the directory was read.
      return [];
    }
  });
}

/** The results of the calls that have ended. */
export async function settled<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.all(promises.map((promise) => Promise.race([promise, undefined])));
  return results.filter((result) => result !== undefined);
}

/**
 * Kills one of two workers while it is being handed a connection, and gives the statuses of six calls that
 * came meanwhile. All must be 200.
 */
export async function killWorkerBeingHandedConnections(server: Running): Promise<(number | undefined)[]> {
  const [victim] = workersOf(server) as [number, number];
  // It accepts no more connections, and does not end either.
  process.kill(victim, "SIGSTOP");
  const calls = Array.from({ length: 6 }, () =>
    statusOnNewConnection(`${server.url}/api/v1/server_settings`),
  );
  // The other worker answers all but those that the victim was given.
  await waitUntil(async () => (await settled(calls)).length >= 4, "the other worker has answered", 10_000);
  const isHeld = (await settled(calls)).length < 6;
  process.kill(victim, "SIGKILL");
  if (!isHeld) throw new Error("the stopped worker was given no connection");
  await waitUntil(async () => (await settled(calls)).length === 6, "nobody waits any more", 10_000);
  return Promise.all(calls);
}

async function statusOnNewConnection(url: string): Promise<number | undefined> {
  const [response] = (await once(http.get(url, { agent: false }), "response")) as [http.IncomingMessage];
  response.resume();
  return response.statusCode;
}
