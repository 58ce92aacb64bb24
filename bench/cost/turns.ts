/**
 * Two checkouts compared in turns. The servers of both are alive at the same time, and blocks of calls of a
 * verb alternate between them. So whatever else the machine does slows both, and a difference of some percent
 * shows where separate runs differ by 20.
 */
import { median } from "../harness/figures.ts";
import { HEAP_FLAGS, Peer } from "../harness/processes.ts";
import type { Row } from "../harness/report.ts";

/** What a checkout's servers are asked: to measure so many calls of a verb. */
export interface Block {
  verb: string;
  calls: number;
}

/** Microseconds of processor time of one call. */
export interface BlockTime {
  node: number;
  database: number;
}

/** Said once, when the servers of a checkout are ready. */
export interface TurnsReady {
  verbs: string[];
}

/** Measures a block on the servers of one checkout. */
export type Side = (block: Block) => Promise<BlockTime>;

export interface TurnsOptions {
  /** Blocks of each checkout that count. */
  turns: number;
  /** Blocks before them, while the servers compile their code. */
  warmUp: number;
}

/** Starts the servers of a checkout that is built. */
export async function startSide(checkout: string): Promise<TurnsReady & { measure: Side }> {
  const environment = { BENCH_CHECKOUT: checkout };
  const peer = new Peer<TurnsReady>("../cost/turn-server.js", { flags: HEAP_FLAGS, environment });
  return { ...(await peer.ready), measure: (block) => peer.ask<BlockTime>(block) };
}

/** The verbs to compare: those that both checkouts know, or the named one. Throws if one of them lacks it. */
export function comparedVerbs(here: readonly string[], there: readonly string[], named?: string): string[] {
  const both = here.filter((verb) => there.includes(verb));
  if (named === undefined) return both;
  if (!both.includes(named)) {
    throw new Error(`There is no verb ${named} in both checkouts. There are: ${both.join(", ")}.`);
  }
  return [named];
}

/** The times of all blocks that count. Who comes first changes with each turn. */
export async function inTurns(
  sides: readonly [Side, Side],
  block: Block,
  { turns, warmUp }: TurnsOptions,
): Promise<[BlockTime[], BlockTime[]]> {
  const times: [BlockTime[], BlockTime[]] = [[], []];
  for (let turn = 0; turn < turns + warmUp; turn++) {
    for (const side of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const time = await sides[side](block);
      if (turn >= warmUp) times[side].push(time);
    }
  }
  return times;
}

/** A line of the table: medians of both in microseconds, and this one's divided by the other's. */
export function compareTimes(verb: string, [here, there]: readonly [BlockTime[], BlockTime[]]): Row {
  const node = [here, there].map((times) => median(times.map((time) => time.node))) as [number, number];
  const database = [here, there].map((times) => median(times.map((time) => time.database))) as typeof node;
  return {
    verb,
    "node µs": node[0],
    "beside, node µs": node[1],
    "node ratio": node[0] / node[1],
    "PostgreSQL µs": database[0],
    "beside, PostgreSQL µs": database[1],
    // A verb that asks the database nothing takes no time there.
    "PostgreSQL ratio": database[1] > 0 ? database[0] / database[1] : undefined,
  };
}
