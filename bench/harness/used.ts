import { isProfiling } from "./options.ts";
import type { Used } from "./parley-server.ts";
import type { Server } from "./processes.ts";
import type { Costs } from "./profile.ts";
import { printTable } from "./report.ts";

export interface Spent {
  messages: number;
  /** Mean messages in a batch. */
  batch: number;
  /** How long it took. */
  seconds: number;
  nodeSeconds: number;
  databaseSeconds: number | undefined;
  scavenges: number;
  meanScavengeMs: number;
  longestScavengeMs: number;
}

/** The resources that the server uses during some work, the warm-up included. */
export async function spending<T>(
  { peer }: Pick<Server<unknown>, "peer">,
  work: () => Promise<T>,
): Promise<{ result: T; spent: Spent }> {
  const before = await peer.ask<Used>({ ask: "used" });
  if (isProfiling) await peer.ask({ ask: "profile" });
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  if (isProfiling) printCosts(await peer.ask<Costs>({ ask: "profiled" }));
  const after = await peer.ask<Used>({ ask: "used" });
  const scavenges = after.scavenges.count - before.scavenges.count;
  const messages = after.messages - before.messages;
  return {
    result,
    spent: {
      messages,
      seconds,
      batch: messages / Math.max(1, after.batches - before.batches),
      nodeSeconds: after.nodeSeconds - before.nodeSeconds,
      databaseSeconds: minus(after.databaseSeconds, before.databaseSeconds),
      scavenges,
      meanScavengeMs: (after.scavenges.totalMs - before.scavenges.totalMs) / Math.max(1, scavenges),
      longestScavengeMs: after.scavenges.longestMs,
    },
  };
}

function printCosts({ functions, modules }: Costs): void {
  printTable("Where the server's time went, by module or package", modules);
  printTable("by function", functions);
}

function minus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b;
}

/** Microseconds for each of this many. */
export function each(seconds: number | undefined, count: number): number | undefined {
  return seconds === undefined ? undefined : (seconds * 1e6) / count;
}
