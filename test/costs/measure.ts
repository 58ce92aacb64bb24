/** What each verb costs, in a world made of the cast. */
import { type Call, type Verb, verbs, type World } from "../../bench/cost/verbs.ts";
import { indexAll } from "../../server/messages/search/index-messages.ts";
import { forgetPreparedNames } from "../../server/platform/db/sql.ts";
import { expectSuccess } from "../harness/answers.ts";
import { CAST_PASSWORD } from "../harness/cast.ts";
import type { Answer, Harness } from "../harness/harness.ts";
import { picture } from "../harness/pictures.ts";
import { uploaded } from "../harness/uploads.ts";
import { CostMeter, members } from "./cost-meter.ts";
import type { VerbCosts } from "./ledger.ts";

/** The first calls fill caches and prepare statements. */
const UNCOUNTED = 2;
/** Timers write now and then, so the cheapest of several calls is taken. */
const COUNTED = 5;

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
  const { id: channelId } = await harness.channel("costs", ["ada", ...Object.values(members)]);
  const image = await picture("png", 40, 30);
  return {
    channelId,
    otherId: harness.user(members.other).id,
    login: { username: harness.user(members.caller).email, password: CAST_PASSWORD },
    // No job runs here, so nothing calls it.
    programUrl: "http://127.0.0.1:9/",
    ask: (call) => expectSuccess(make(harness, call)),
    uploadPicture: () => uploaded(harness, members.caller, image, "soup.png"),
    async rest() {
      const { services, state } = harness;
      await state.catchUp();
      await indexAll(services.database, state.organizationId);
    },
  };
}

function make(harness: Harness, { as, method, path, params }: Call): Promise<Answer> {
  const caller = as === "nobody" ? harness.nobody() : harness.as(members[as]);
  return caller[method.toLowerCase() as "get" | "post" | "patch" | "delete"](path, params);
}
