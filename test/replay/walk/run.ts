/**
 * A random walk: people do things, some of them at once, and clients follow. From time to time each client's
 * model must equal a fresh snapshot, and what the lists say must agree.
 */
import { expect } from "vitest";
import { users } from "../../../server/people/user.ts";
import { queuesOf } from "../../../server/platform/queues/organization-queues.ts";
import { Follower, type Form, forms } from "../../harness/follow.ts";
import type { CastName } from "../../harness/harness.ts";
import { howToRepeat, seed } from "../../harness/seed.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { compareLists } from "./lists.ts";
import { type Verbs, Walk } from "./walk.ts";

export interface WalkOptions {
  /** The test file, to say how the walk is repeated. */
  file: string;
  verbs: Verbs;
  nodes: 1 | 2;
  /** How many calls run at once: a random number up to this one. */
  atOnce: number;
  /** How often, in percent, a client's queue reads the log again when it is polled. */
  coldPercent: number;
  /** The walk ends after this many steps, or when the time is over that PARLEY_WALK_MINUTES gives. */
  steps: number;
}

const cast: readonly (readonly [CastName, Form])[] = [
  ["ada", forms.modern],
  ["dev", forms.modern],
  ["gus", forms.modern],
  ["elin", forms.partial],
  ["gus", forms.partial],
  ["elin", forms.plain],
  ["cleo", forms.plain],
  ["echo", forms.plain],
  ["zed", forms.plain],
];
/** Everything is compared after this many steps, and those who came in the middle leave. */
const COMPARE_EVERY = 50;

const minutes = Number(process.env.PARLEY_WALK_MINUTES ?? 0);

/** The time that a test of a walk may take. */
export const WALK_TIMEOUT_MS = 120_000 + minutes * 60_000;

/** Walks; a long run walks again with the next seed until its time is over. */
export async function runWalks(options: WalkOptions): Promise<void> {
  const endsAt = performance.now() + minutes * 60_000;
  let next = seed;
  do await runWalk(options, next++);
  while (performance.now() < endsAt);
}

async function runWalk(options: WalkOptions, walkSeed: number): Promise<void> {
  let walk: Walk | undefined;
  const cluster = await startCluster(options.nodes, () => walk?.upTo(options.nodes) ?? 0);
  walk = new Walk(cluster, walkSeed);
  const run = new Run(options, cluster, walk);
  try {
    await run.all();
  } catch (error) {
    const repeat = howToRepeat(options.file, walkSeed);
    throw new Error(`${repeat}\nafter ${run.history.slice(-40).join("; ")}`, { cause: error });
  } finally {
    await cluster.close();
  }
}

class Run {
  readonly history: string[] = [];
  readonly #options: WalkOptions;
  readonly #cluster: Cluster;
  readonly #walk: Walk;
  readonly #urn: readonly string[];
  #followers: Follower[] = [];
  /** Clients whose people's accounts are deactivated. */
  #absent: (readonly [CastName, Form])[] = [];
  #done = 0;
  #refused = 0;

  constructor(options: WalkOptions, cluster: Cluster, walk: Walk) {
    this.#options = options;
    this.#cluster = cluster;
    this.#walk = walk;
    this.#urn = Object.entries(options.verbs).flatMap(([name, [weight]]) => Array<string>(weight).fill(name));
  }

  async all(): Promise<void> {
    await this.#prepare();
    const { steps, atOnce } = this.#options;
    let comparedAt = 0;
    for (let step = 0; step < steps; ) {
      const count = atOnce === 1 ? 1 : 1 + this.#walk.upTo(atOnce);
      await this.#do(count);
      step += count;
      await this.#catchUpSome();
      if (step - comparedAt < COMPARE_EVERY && step < steps) continue;
      comparedAt = step;
      await this.#compareAll();
    }
    expect(this.#done, "calls that succeed").toBeGreaterThan(steps / 4);
    expect(this.#refused, "calls that are refused").toBeGreaterThan(0);
  }

  async #prepare(): Promise<void> {
    const ada = this.#cluster.as("ada");
    await ada.patch("/realm", { enable_spectator_access: true });
    await this.#cluster.channel("kitchen", ["ada", "cleo", "dev", "gus"], { isDefault: true });
    await this.#cluster.channel("leads", ["ada", "cleo", "elin"], { isPrivate: true });
    await this.#catchUpNodes();
    this.#followers = await Promise.all(cast.map(([name, form]) => this.#start(name, form)));
  }

  /** Several calls at once, and now and then a client that comes in the middle of them. */
  async #do(count: number): Promise<void> {
    const calls: Promise<void>[] = [];
    for (let index = 0; index < count; index++) calls.push(this.#call(this.#walk.pick(this.#urn)));
    if (count > 1 && this.#walk.chance(20)) calls.push(this.#join());
    await Promise.all(calls);
    await this.#catchUpNodes();
    await this.#replaceEnded();
  }

  async #call(name: string): Promise<void> {
    this.history.push(name);
    const verb = this.#options.verbs[name] as Verbs[string];
    const { status, body } = await verb[1](this.#walk);
    expect(status, `${name}: ${JSON.stringify(body)}`).toBeLessThan(500);
    if (status === 200) this.#done++;
    else this.#refused++;
  }

  async #join(): Promise<void> {
    const [name, form] = this.#walk.pick(cast.filter(([each]) => each === "ada" || each === "gus"));
    this.#followers.push(await this.#start(name, form));
  }

  /** A client that has fetched its person's files, too, and follows them by events. */
  async #start(name: CastName, form: Form): Promise<Follower> {
    const follower = await Follower.start(this.#cluster, name, form);
    follower.model.uploads.fetched((await this.#cluster.as(name).get("/attachments")).body);
    return follower;
  }

  async #compareFiles({ viewer, model }: Follower): Promise<void> {
    const { body } = await this.#cluster.as(viewer).get("/attachments");
    const known = [...model.uploads.byId.values()].sort((one, other) => other.id - one.id);
    expect(known, `files of ${viewer}`).toEqual(body.attachments);
  }

  async #catchUpNodes(): Promise<void> {
    await Promise.all(this.#cluster.states.map((state) => state.catchUp()));
  }

  /** The queues of a deactivated account end. Its clients come back with a new one when it is reactivated. */
  async #replaceEnded(): Promise<void> {
    const isEnded = ({ viewer }: Follower) => this.#walk.ended.has(viewer);
    const ended = this.#followers.filter(isEnded);
    this.#followers = this.#followers.filter((follower) => !isEnded(follower));
    this.#absent.push(...ended.map(({ viewer, form }) => [viewer, form] as const));
    this.#walk.ended.clear();
    const isBack = ([name]: readonly [CastName, Form]) =>
      this.#cluster.state.get(users).byId.get(this.#cluster.user(name).user.id)?.isActive === true;
    const back = this.#absent.filter(isBack);
    this.#absent = this.#absent.filter((each) => !isBack(each));
    for (const [name, form] of back) this.#followers.push(await this.#start(name, form));
  }

  /** Some follow closely, others let a little pile up. */
  async #catchUpSome(): Promise<void> {
    for (const [index, follower] of this.#followers.entries())
      if (this.#walk.upTo(index + 1) === 0) await this.#catchUp(follower);
  }

  async #catchUp(follower: Follower): Promise<void> {
    if (this.#walk.chance(this.#options.coldPercent)) {
      for (const state of this.#cluster.states) {
        const queue = queuesOf(state).byId.get(follower.queueId);
        if (queue) queue.isCold = true;
        if (this.#walk.chance(50)) state.recent.clear();
      }
    }
    await follower.catchUp();
  }

  async #compareAll(): Promise<void> {
    for (const follower of this.#followers) {
      await this.#catchUp(follower);
      await follower.compare();
      await this.#compareFiles(follower);
    }
    const viewers = [...new Set(this.#followers.map(({ viewer }) => viewer))];
    for (const viewer of viewers) await compareLists(this.#cluster, viewer);
    for (const follower of this.#followers.splice(cast.length)) await follower.stop();
  }
}
