/** A person in front of two tabs of a browser, what they do step by step, and what must hold then. */
import type { BrowserContext, Page } from "playwright-core";
import type { World } from "../browser.ts";
import { findAbsent, findFrozen, findLost, findSentTwice, findStale, findStuck } from "./checks.ts";
import { Dice } from "./dice.ts";
import { Network, type Weather } from "./network.ts";
import { buildTown, deeds, type Town } from "./others.ts";
import { acts, type Written, watchPerson } from "./person.ts";
import { lookAround, Story } from "./story.ts";

/** What a browser says of calls that failed, which the walk does on purpose. */
const EXPECTED =
  /Failed to load resource|net::ERR_|dynamically imported module|Importing a module script failed/;

type Disturbance = readonly [weight: number, readonly [name: string, run: () => Promise<string>]];

export class Walk {
  readonly problems: string[] = [];
  readonly story = new Story();
  readonly #world: World;
  readonly #dice: Dice;
  readonly #only: RegExp;
  readonly #town: Town;
  readonly #network: Network;
  readonly #context: BrowserContext;
  readonly #written: Written[] = [];
  /** When each row was first seen on its way, by page. */
  readonly #stuck = new WeakMap<Page, Map<string, number>>();

  /** `only`: the kinds of steps to take. */
  static async begin(world: World, seed: number, only: RegExp): Promise<Walk> {
    const town = await buildTown(world.harness);
    let walk: Walk | undefined;
    const before = async (page: Page) => {
      walk = new Walk(world, town, page.context(), seed, only);
      await walk.#watch(page);
    };
    await world.open("dev", { hash: "#inbox", before });
    if (!walk) throw new Error("The client has no page.");
    const other = await walk.#context.newPage();
    await walk.#watch(other);
    await other.goto(`${world.url}/?language=en#feed`);
    return walk;
  }

  private constructor(world: World, town: Town, context: BrowserContext, seed: number, only: RegExp) {
    this.#world = world;
    this.#town = town;
    this.#context = context;
    this.#dice = new Dice(seed);
    this.#only = only;
    this.#network = new Network(context, new Dice(seed + 1), this.story);
  }

  /** Some steps and a rest. It stops at the first problem, and takes no step after `end`. */
  async go(steps: number, end: number): Promise<void> {
    for (let count = 0; count < steps && this.problems.length === 0 && Date.now() < end; count++)
      await this.#step();
    if (this.problems.length === 0) await this.#rest();
  }

  async end(): Promise<void> {
    await this.#context.close();
  }

  async #watch(page: Page): Promise<void> {
    const { pages } = this.story;
    if (pages.push(page) === 1) {
      await watchPerson(this.#context, { story: this.story, written: this.#written });
      await this.#network.watch();
    }
    const who = this.story.nameOf(page);
    const report = (kind: string, text: string, whole = text) => {
      if (!EXPECTED.test(text)) this.problems.push(`${who}: ${kind}: ${whole}`);
    };
    page.on("console", (message) => message.type() === "error" && report("console", message.text()));
    page.on("pageerror", (error) => report("error", error.message, error.stack));
    page.on("crash", () => this.problems.push(`${who} has crashed`));
    page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
  }

  async #step(): Promise<void> {
    const [dice, town, story] = [this.#dice, this.#town, this.story];
    const page = dice.pick(story.pages);
    if (dice.chance(30)) {
      const [name, run] = this.#choose(deeds);
      story.begin(`somebody ${name}`);
      await run(town, dice);
    } else if (dice.chance(8)) {
      const [name, run] = this.#choose(this.#disturbances);
      story.begin(`${name}:`)(await run());
    } else {
      const [name, run] = this.#choose(acts);
      const finish = story.begin(`${story.nameOf(page)} ${name}:`);
      finish(await run({ page, dice, town, story, written: this.#written }).catch(reasonOf));
    }
    for (const each of story.pages) await this.#look(each);
  }

  /** One that is allowed, or any one where none is. */
  #choose<T>(entries: readonly (readonly [weight: number, readonly [name: string, T]])[]) {
    const allowed = entries.filter(([, [name]]) => this.#only.test(name));
    return this.#dice.weighted(allowed.length > 0 ? allowed : entries);
  }

  async #look(page: Page): Promise<void> {
    const since = this.#stuck.get(page) ?? new Map<string, number>();
    this.#stuck.set(page, since);
    this.#report(page, await findFrozen(page));
    if (this.problems.length > 0) return;
    this.#report(page, await findStuck(page, since, this.#network.fairMs).catch(() => []));
    await lookAround(this.story, page);
  }

  readonly #disturbances: readonly Disturbance[] = [
    [
      2,
      [
        "changes the weather",
        async () => {
          const weather = this.#dice.pick<Weather>(["fair", "slow", "held", "failing"]);
          this.#network.change(weather);
          return `the network is ${weather}`;
        },
      ],
    ],
    [
      1,
      [
        "loses queues",
        async () => {
          const dev = this.#world.harness.as("dev");
          for (const queue_id of this.#network.queues.values()) await dev.delete("/events", { queue_id });
          return "the queues of events are lost";
        },
      ],
    ],
    [
      1,
      [
        "turns the network",
        async () => {
          await this.#network.turn(!this.#network.isOnline);
          return this.#network.isOnline ? "the network is back" : "the network is gone";
        },
      ],
    ],
  ];

  /** Everything gets through, and after a moment everything must be right. */
  async #rest(): Promise<void> {
    const { harness } = this.#world;
    this.#network.change("fair");
    await this.#network.turn(true);
    this.story.begin("rests");
    for (const page of this.story.pages) {
      const absent = await findAbsent(page);
      // Where no events come, the client asks again when somebody looks at the page.
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      this.#report(page, absent.length > 0 ? absent : await findStale(this.#world, page));
      await lookAround(this.story, page);
    }
    if (this.problems.length > 0) return;
    this.problems.push(...(await findLost(harness, this.story.pages, this.#written)));
    this.problems.push(...(await findSentTwice(harness, this.#written)));
  }

  #report(page: Page, problems: readonly string[]): void {
    for (const problem of problems) this.problems.push(`${this.story.nameOf(page)}: ${problem}`);
  }
}

/** An element that is gone before it is reached is no problem. */
function reasonOf(error: unknown): string {
  return `can't: ${String(error instanceof Error ? error.message : error).split("\n")[0]}`;
}
