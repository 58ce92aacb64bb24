/** Measures what each verb costs, in a world made of the cast: dev acts, and elin is the other member. */
import { type Call, type Verb, verbs, type Who, type World } from "../../bench/cost/verbs.ts";
import { indexAll } from "../../server/messages/search/index-messages.ts";
import { forgetPreparedNames } from "../../server/platform/db/sql.ts";
import { expectSuccess } from "../harness/answers.ts";
import { CAST_PASSWORD } from "../harness/cast.ts";
import { forms } from "../harness/follow.ts";
import type { Answer, Harness } from "../harness/harness.ts";
import { type Listener, listen } from "../harness/listener.ts";
import { picture } from "../harness/pictures.ts";
import { uploaded } from "../harness/uploads.ts";
import type { EventCost, VerbCosts } from "./ledger.ts";
import { countStatements } from "./statement-count.ts";
import { WriteMeter } from "./writes.ts";

/** The first calls fill caches and prepare statements. */
const UNCOUNTED = 2;
/** Timers write now and then, so the cheapest of several calls is taken. */
const COUNTED = 5;
const people = { caller: "dev", other: "elin" } as const;

export class CostMeter {
  readonly #harness: Harness;
  readonly #writes: WriteMeter;
  readonly #listeners: readonly { who: Who; listener: Listener }[];

  private constructor(
    harness: Harness,
    writes: WriteMeter,
    listeners: readonly { who: Who; listener: Listener }[],
  ) {
    this.#harness = harness;
    this.#writes = writes;
    this.#listeners = listeners;
  }

  /** `watchStatements` must have been called before the harness was made. */
  static async open(harness: Harness): Promise<CostMeter> {
    const writes = await WriteMeter.open(harness.services.database.connection);
    const listeners = await Promise.all(
      (["caller", "other"] as const).map(async (who) => ({
        who,
        listener: await listen(harness.as(people[who]), forms.modern),
      })),
    );
    return new CostMeter(harness, writes, listeners);
  }

  async close(): Promise<void> {
    await this.#writes.close();
  }

  /** What some work costs: its statements, what it writes, and the events that both members get. */
  async costsOf<T>(work: () => Promise<T>): Promise<{ value: T; costs: VerbCosts }> {
    await this.#heard();
    await this.#writes.start();
    const { value, count } = await countStatements(work);
    const writes = await this.#writes.stop();
    return { value, costs: { ...count, ...writes, events: await this.#heard() } };
  }

  async #heard(): Promise<EventCost[]> {
    const { state } = this.#harness;
    await state.catchUp();
    const heard = await Promise.all(
      this.#listeners.map(async ({ who, listener }) =>
        (await listener.heard()).map((event) => ({ who, event })),
      ),
    );
    return heard.flat().map(({ who, event }) => ({ who, event: eventName(event), bytes: bytesOf(event) }));
  }
}

function eventName({ type, op }: { type: string; op?: string }): string {
  return op === undefined ? type : `${type}/${op}`;
}

/** Without numbers: ids and times have more digits from time to time. */
function bytesOf(event: unknown): number {
  const text = JSON.stringify(event, (_key, value) => (typeof value === "number" ? 0 : value));
  return Buffer.byteLength(text);
}

/** Measures all verbs, on a server that knows itself to be the only node, as most are. */
export async function measureAll(harness: Harness): Promise<Record<string, VerbCosts>> {
  forgetPreparedNames();
  Object.defineProperty(harness.services.bus, "isAlone", { get: () => true });
  const meter = await CostMeter.open(harness);
  try {
    const world = await worldOf(harness);
    const measured: Record<string, VerbCosts> = {};
    for (const verb of verbs) measured[verb.name] = await measure(harness, meter, world, verb);
    return measured;
  } finally {
    await meter.close();
  }
}

async function measure(harness: Harness, meter: CostMeter, world: World, verb: Verb): Promise<VerbCosts> {
  const calls = await verb.prepare(world, UNCOUNTED + COUNTED);
  await world.rest();
  const answers: Answer["body"][] = [];
  const all: VerbCosts[] = [];
  for (const call of calls) {
    const { value, costs } = await meter.costsOf(() => expectSuccess(make(harness, call)));
    answers.push(value);
    all.push(costs);
  }
  await verb.finish?.(world, calls, answers);
  return cheapest(all.slice(UNCOUNTED));
}

function cheapest(all: readonly VerbCosts[]): VerbCosts {
  const weights = (costs: VerbCosts) => [
    costs.statements.length,
    costs.roundTrips,
    Object.values(costs.rowsWritten).reduce((sum, count) => sum + count, 0),
    costs.events.length,
    costs.walRecords,
    costs.walBytes,
  ];
  const [first] = [...all].sort((one, other) => {
    const [left, right] = [weights(one), weights(other)];
    const at = left.findIndex((weight, index) => weight !== right[index]);
    return at < 0 ? 0 : (left[at] as number) - (right[at] as number);
  });
  return first as VerbCosts;
}

async function worldOf(harness: Harness): Promise<World> {
  const { id: channelId } = await harness.channel("costs", ["ada", "dev", "elin"]);
  const image = await picture("png", 40, 30);
  return {
    channelId,
    otherId: harness.user("elin").id,
    login: { username: harness.user("dev").email, password: CAST_PASSWORD },
    // No job runs here, so nothing calls it.
    programUrl: "http://127.0.0.1:9/",
    ask: (call) => expectSuccess(make(harness, call)),
    uploadPicture: () => uploaded(harness, "dev", image, "soup.png"),
    async rest() {
      const { services, state } = harness;
      await state.catchUp();
      await indexAll(services.database, state.organizationId);
    },
  };
}

function make(harness: Harness, { as, method, path, params }: Call): Promise<Answer> {
  const caller = as === "nobody" ? harness.nobody() : harness.as(people[as]);
  return caller[method.toLowerCase() as "get" | "post" | "patch" | "delete"](path, params);
}
