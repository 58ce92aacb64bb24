import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../harness/random.ts";
import { type Account, demand } from "./ask.ts";
import { checkListener, checkSends, History } from "./check.ts";
import type { Cluster } from "./cluster.ts";
import { allFaults } from "./faults.ts";
import { habits, Listener } from "./listener.ts";
import { Report } from "./report.ts";
import { Senders } from "./senders.ts";
import type { ServerProcess } from "./server-process.ts";

const EACH = 2;
const BACK_MS = 60_000;

export interface Plan {
  cluster: Cluster;
  seed: number;
  /** The name of the next round's fault; undefined ends the run. */
  next: (round: number, random: Random) => string | undefined;
  /** Milliseconds of load before a fault, at least and at most. */
  before: readonly [number, number];
  /** Makes a fault happen, and resolves when it is over; one of `allFaults` by default. */
  play?: (fault: string, random: Random) => Promise<void>;
  /** Waits for what has to be well again besides, and looks at it, while the load goes on. */
  settled?: (round: Round) => Promise<void>;
  /** Whether a server may have ended like this. */
  mayEnd?: (end: ServerProcess["ends"][number]) => boolean;
  /** Told after each round. */
  onRound?: (report: Report) => void;
}

export interface Round {
  fault: string;
  /** When the fault began, when it was over, and when all processes were there again, in milliseconds. */
  at: number;
  overAt: number;
  wholeAt: number;
  /** The longest time since the fault in which no send was acknowledged. */
  silentMs: number;
}

/**
 * Load, a fault in the middle of it, and then a look at everything: round after round, with the same queues.
 * A server that was kept away is started after the look. Throws at the first thing that is wrong.
 */
export async function runPlan({ cluster, seed, next, before, onRound, ...plan }: Plan): Promise<Report> {
  const random = new Random(seed);
  const accounts = await signIn(cluster);
  const senders = new Senders(cluster, [...accounts.values()], random);
  const report = new Report(seed);
  const listeners: Listener[] = [];
  for (const [node, own] of habits.entries()) {
    const account = accounts.get(own.email) as Account;
    listeners.push(await Listener.register({ cluster, account, habits: own, random, node }));
  }
  const check = new Check(cluster, accounts.values(), senders, listeners, plan.mayEnd ?? foundNoDatabase);
  const play =
    plan.play ?? ((fault, own) => allFaults[fault]?.(cluster, own) ?? Promise.reject(new Error(fault)));
  let fault: string | undefined;
  try {
    for (let round = 0; ; round++) {
      fault = next(round, random);
      if (fault === undefined) break;
      senders.start(EACH);
      await sleep(random.between(...before));
      const at = Date.now();
      await play(fault, random);
      const overAt = Date.now();
      const wholeAt = await back(cluster, senders);
      const silentMs = senders.longestSilence(at);
      await plan.settled?.({ fault, at, overAt, wholeAt, silentMs });
      await senders.stop();
      await check.all();
      report.round(fault, { silentMs, wholeMs: wholeAt - at });
      onRound?.(report.add(senders.sends, listeners));
      for (const node of cluster.nodes.filter(({ isAway }) => isAway)) {
        node.start();
        await node.ready();
      }
    }
    await check.all(true);
    await Promise.all(listeners.map((listener) => listener.finish()));
    return report.add(senders.sends, listeners);
  } catch (error) {
    const logs = cluster.nodes.map((node) => `${node.name} (ended ${node.ends.length} times):\n${node.log}`);
    throw new Error(
      `seed ${seed}, ${report.rounds} rounds done, then '${fault}': ${(error as Error).message}\n${logs.join("\n")}`,
      {
        cause: error,
      },
    );
  } finally {
    await senders.stop().catch(() => {});
    await Promise.all(listeners.map((listener) => listener.stop().catch(() => {})));
  }
}

/**
 * Resolves when a send has succeeded that began after all servers were there again, but for those that stay
 * away; with the time when they were there.
 */
async function back(cluster: Cluster, senders: Senders): Promise<number> {
  const deadline = Date.now() + BACK_MS;
  const until = async (condition: () => boolean, what: string) => {
    while (!condition()) {
      if (Date.now() > deadline) throw new Error(`${what} within ${BACK_MS} ms of the fault`);
      await sleep(20);
    }
  };
  const isWhole = () =>
    cluster.nodes.every((node) => node.isAway || node.isWhole) && cluster.database() !== undefined;
  await until(isWhole, "not every process was back");
  const since = Date.now();
  await until(() => senders.hasSucceededSince(since), "no send was acknowledged");
  return since;
}

const foundNoDatabase: NonNullable<Plan["mayEnd"]> = ({ log }) =>
  / in DATABASE_URL can't be reached: .*\n$/.test(log);

async function signIn(cluster: Cluster): Promise<Map<string, Account>> {
  const accounts = new Map<string, Account>();
  for (const name of ["ada", "ben", "cleo", "dev", "elin", "gus"]) {
    const email = `${name}@demo.test`;
    const { api_key, user_id } = await demand(cluster.address(0), "POST", "/dev_fetch_api_key", {
      username: email,
    });
    const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
    accounts.set(email, { email, userId: user_id, authorization });
  }
  return accounts;
}

class Check {
  readonly #nodes: Cluster["nodes"];
  readonly #senders: Senders;
  readonly #listeners: readonly Listener[];
  readonly #mayEnd: NonNullable<Plan["mayEnd"]>;
  readonly #ofSenders: ReadonlyMap<Account, History>;
  readonly #ofListeners: ReadonlyMap<Listener, History>;

  constructor(
    cluster: Cluster,
    accounts: Iterable<Account>,
    senders: Senders,
    listeners: readonly Listener[],
    mayEnd: NonNullable<Plan["mayEnd"]>,
  ) {
    this.#mayEnd = mayEnd;
    this.#nodes = cluster.nodes;
    this.#senders = senders;
    this.#listeners = listeners;
    const start = Math.min(...listeners.map(({ startedAt }) => startedAt));
    this.#ofSenders = new Map(
      [...accounts].map((account) => [account, new History(cluster, account, [], start)]),
    );
    this.#ofListeners = new Map(
      listeners.map((each) => [each, new History(cluster, each.account, each.habits.narrow, each.startedAt)]),
    );
  }

  /** `again`: reads all of history again, not only what has come since the last time. */
  async all(again = false): Promise<void> {
    this.#ends();
    const histories = new Map<Account, Awaited<ReturnType<History["read"]>>>();
    for (const [account, history] of this.#ofSenders) histories.set(account, await history.read(again));
    checkSends(this.#senders.sends, histories);
    for (const listener of this.#listeners) listener.hurry(true);
    for (const [listener, history] of this.#ofListeners)
      await checkListener(listener, await history.read(again));
    for (const listener of this.#listeners) listener.hurry(false);
  }

  /**
   * A server ends because it was killed, or asked to, or found no database when it started; for no other
   * reason.
   */
  #ends(): void {
    for (const { name, ends } of this.#nodes) {
      const odd = ends.find((end) => end.code !== 0 && end.signal !== "SIGKILL" && !this.#mayEnd(end));
      if (odd) throw new Error(`${name} ended with ${odd.signal ?? odd.code}: ${odd.log}`);
    }
  }
}
