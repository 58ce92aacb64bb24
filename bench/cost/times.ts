import { AwaitedConnection } from "../harness/awaited-connection.ts";
import { median } from "../harness/figures.ts";
import type { Person } from "../harness/fixture.ts";
import type { Ready, Used } from "../harness/parley-server.ts";
import type { Server } from "../harness/processes.ts";
import { post } from "../harness/requests.ts";
import { requestOf } from "./bench-world.ts";
import type { Verb, World } from "./verbs.ts";

/** Processor time of one call. */
export interface Time {
  node: number;
  database: number;
}

/** As multiples of a bare answer's, in Node. */
export type Multiples = Record<string, Time>;

export interface Measured {
  /** Microseconds for a bare answer. */
  bare: number;
  verbs: Multiples;
}

/** A call of a verb is compared with so many bare ones around it. */
const BARE_CALLS = 2;

/** Measures verbs on a server of their own, beside a bare one. */
export class CostTimes {
  readonly #parley: Server<Ready>;
  readonly #bare: Server<{ port: number }>;
  readonly #world: World;
  readonly #bareRequest: string;

  constructor(parley: Server<Ready>, bare: Server<{ port: number }>, world: World) {
    this.#parley = parley;
    this.#bare = bare;
    this.#world = world;
    const params = { type: "channel", to: "1", topic: "lunch", content: "Is there soup?" };
    this.#bareRequest = post(parley.people[0] as Person, "/messages", params);
  }

  /** Medians of so many turns, in each of which each verb is measured once. */
  async measure(verbs: readonly Verb[], turns: number, callsOf: (verb: Verb) => number): Promise<Measured> {
    const bares: number[] = [];
    const times = new Map<string, Time[]>(verbs.map(({ name }) => [name, []]));
    for (let turn = 0; turn < turns; turn++) {
      for (const verb of verbs) {
        const { bare, node, database } = await this.#measure(verb, callsOf(verb));
        bares.push(bare);
        times.get(verb.name)?.push({ node: node / bare, database: database / bare });
      }
    }
    const medians = [...times].map(([name, all]) => [
      name,
      { node: median(all.map(({ node }) => node)), database: median(all.map(({ database }) => database)) },
    ]);
    return { bare: median(bares), verbs: Object.fromEntries(medians) };
  }

  /** The bare answers come between the calls of the verb, so whatever slows a process slows both. */
  async #measure(verb: Verb, count: number): Promise<Time & { bare: number }> {
    const { people, port } = this.#parley;
    const calls = await verb.prepare(this.#world, count);
    const [line, bareLine] = [new AwaitedConnection(port), new AwaitedConnection(this.#bare.port)];
    const answers: string[] = [];
    const before = await this.#used();
    for (const request of calls.map((call) => requestOf(call, people))) {
      for (let bare = 0; bare < BARE_CALLS; bare++) await answerOf(bareLine, this.#bareRequest);
      answers.push(await answerOf(line, request));
    }
    const after = await this.#used();
    line.close();
    bareLine.close();
    await verb.finish?.(
      this.#world,
      calls,
      answers.map((body) => JSON.parse(body)),
    );
    return {
      bare: each(after.bare - before.bare, BARE_CALLS * count),
      node: each(after.node - before.node, count),
      database: each(after.database - before.database, count),
    };
  }

  /** Seconds of processor time so far. */
  async #used(): Promise<Time & { bare: number }> {
    const [parley, bare] = await Promise.all([
      this.#parley.peer.ask<Used>({ ask: "used" }),
      this.#bare.peer.ask<Pick<Used, "nodeSeconds">>({ ask: "used" }),
    ]);
    return { bare: bare.nodeSeconds, node: parley.nodeSeconds, database: parley.databaseSeconds ?? 0 };
  }
}

async function answerOf(line: AwaitedConnection, request: string): Promise<string> {
  const { status, body } = await line.ask(request);
  if (status !== 200) throw new Error(`a call was answered with ${status}: ${body}`);
  return body;
}

function each(seconds: number, count: number): number {
  return (seconds * 1e6) / count;
}
