/**
 * `/register` with everything and `include_subscribers=partial` in an organization of 10,000 people and 1,000
 * channels. The caller is subscribed to 100 of them, with 100 messages a channel of which the newest 10 are
 * unread. Then the same in an organization that has grown since PostgreSQL last counted it: 1,800 people, and
 * a caller with 1,000 subscriptions and nothing unread. At last 10,000 people who have all filled in five
 * custom profile fields.
 */
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, load, startParley } from "./harness/processes.ts";
import { registration } from "./harness/registration.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { post } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { spending } from "./harness/used.ts";

const PEOPLE = size(10_000, 500);
const CHANNELS = size(1000, 50);
const OWN = size(100, 5);
const CALLERS = 100;

const GROWN = {
  people: size(1800, 100),
  keys: size(10, 2),
  subscribers: 2,
  channels: size(1000, 50),
  ownChannels: size(1000, 50),
  ownChannelsOf: size(10, 2),
  positions: size(2786, 100),
  isStale: true,
};

const PROFILED = { people: PEOPLE, keys: size(10, 2), subscribers: 0, profileFields: 5 };

await scenario(async () => {
  checkRest();
  const parley = await startParley({
    people: PEOPLE,
    keys: CALLERS,
    subscribers: 0,
    channels: CHANNELS,
    ownChannels: OWN,
    history: { messages: CHANNELS * 100, benchShare: 0, readStretches: 1, unreadShare: 0.1 },
  });
  const task = (connections: number, requests: string[], { port } = parley) => ({
    port,
    connections,
    warmupSeconds: size(3, 0.5),
    seconds: size(20, 1),
    requests,
  });
  const everything = parley.people.map(registration);
  const one = await spending(parley, () => load(task(1, everything)));
  const four = await spending(parley, () => load(task(4, everything)));
  const queueOnly = parley.people.map((person) =>
    post(person, "/register", { event_types: '["message"]', fetch_event_types: "[]" }),
  );
  const nothing = await spending(parley, () => load(task(1, queueOnly)));

  await parley.peer.stop();
  const grown = await startParley(GROWN);
  const stale = await spending(grown, () => load(task(1, grown.people.map(registration), grown)));
  await grown.peer.stop();
  const profiled = await startParley(PROFILED);
  const profiles = await spending(profiled, () => load(task(1, profiled.people.map(registration), profiled)));

  const row = (what: string, { result, spent }: typeof one) => ({
    what,
    "p50 ms": result.p50Ms,
    "p99 ms": result.p99Ms,
    "max ms": result.maxMs,
    "answers/s": result.perSecond,
    "kB an answer": result.bytes / 1000,
    "node, of a processor": spent.nodeSeconds / spent.seconds,
    "PostgreSQL, of a processor": share(spent.databaseSeconds, spent.seconds),
  });
  printTable(
    `/register, ${PEOPLE} people, ${CHANNELS} channels, ${OWN} one's own, ${OWN * 10} unread; ${HEAP_FLAGS.join(" ")}`,
    [
      row("everything, one at a time", one),
      row("everything, 4 at a time", four),
      row("a queue only", nothing),
    ],
  );
  printTable(
    `/register, ${GROWN.people} people, ${GROWN.ownChannels} own channels, statistics of nearly empty tables`,
    [row("everything, one at a time", stale)],
  );
  printTable(`/register, ${PROFILED.people} people with ${PROFILED.profileFields} values each, no channels`, [
    row("everything, one at a time", profiles),
  ]);
  console.log();
  printGoal("p50, ms", one.result.p50Ms, { most: 50 });
  printGoal("p99, ms", one.result.p99Ms, { most: 150 });
  printGoal("after growth, p50, ms", stale.result.p50Ms, { most: 50 });
  save("register", {
    people: PEOPLE,
    channels: CHANNELS,
    own: OWN,
    heapFlags: HEAP_FLAGS,
    one,
    four,
    nothing,
    stale,
    profiles,
  });
});

function share(processorSeconds: number | undefined, seconds: number): number | undefined {
  return processorSeconds === undefined ? undefined : processorSeconds / seconds;
}
