import type { Caller, CastName, Harness } from "../../harness/harness.ts";
import { Random } from "../../harness/random.ts";

/** What a call gives. */
export interface Outcome {
  status: number;
  body: unknown;
}

/** Something that people do: how often in comparison with other verbs, and the call. */
export type Verb = readonly [weight: number, call: (walk: Walk) => Promise<Outcome>];
/** By their names, which the title of a failure lists. */
export type Verbs = Readonly<Record<string, Verb>>;

export const actors: readonly CastName[] = ["ada", "ben", "cleo", "dev", "elin", "gus", "echo"];
export const channelNames = ["kitchen", "garden", "leads", "square", "attic", "cellar", "roof"];
export const topics = ["lunch", "Dinner", "", "deploy"];

/** Texts of messages, and of descriptions. */
export const contents = [
  "Soup?",
  "@**Dev Rao** soup",
  "@**all** soup",
  "@*role:members*",
  "@*cooks* soup",
  "@*smiths* @*readers*",
  "@_**Ada Osei**",
  "see #**leads**",
  "/poll Soup?\nleek",
];

/** The random choices of a walk, and what it has made so far. */
export class Walk extends Random {
  readonly harness: Harness;
  /** Ids of messages, in the order of their sends. */
  readonly sent: number[] = [];
  readonly groups: number[] = [];
  /** Addresses of files that somebody uploaded, who may have deleted them since. */
  readonly files: string[] = [];
  /** Accounts that were made on the way. */
  readonly people: number[] = [];
  /** People whose queues ended since the last look, since their accounts were deactivated. */
  readonly ended = new Set<CastName>();

  constructor(harness: Harness, seed: number) {
    super(seed);
    this.harness = harness;
  }

  as(...names: readonly CastName[]): Caller {
    return this.harness.as(this.pick(names));
  }

  anybody(): Caller {
    return this.as(...actors);
  }

  chance(percent: number): boolean {
    return this.upTo(100) < percent;
  }

  some<T>(of: readonly T[]): T[] {
    return of.filter(() => this.chance(35));
  }

  ids(names: readonly CastName[]): number[] {
    return names.map((name) => this.harness.user(name).id);
  }

  /** Some of the cast, and now and then an account that was made. */
  someIds(): number[] {
    return [...this.ids(this.some(actors)), ...this.some(this.people.slice(-2))];
  }

  recent(): number {
    return this.pick(this.sent.slice(-12)) ?? 0;
  }

  file(): string {
    return this.pick(this.files.slice(-6)) ?? "/user_uploads/1/none/soup.txt";
  }

  group(): number {
    return this.pick(this.groups) ?? 0;
  }

  /** One that exists, or 0 if there is none. */
  async channel(options: { exclude_archived?: boolean } = {}): Promise<number> {
    const { body } = await this.harness.as("ada").get("/streams", { include_all: true, ...options });
    const channel: { stream_id: number } | undefined = this.pick(body.streams);
    return channel?.stream_id ?? 0;
  }

  anyChannel(): Promise<number> {
    return this.channel({ exclude_archived: false });
  }

  async noteSent(call: Promise<Outcome>): Promise<Outcome> {
    const outcome = await call;
    if (outcome.status === 200) this.sent.push((outcome.body as { id: number }).id);
    return outcome;
  }
}
