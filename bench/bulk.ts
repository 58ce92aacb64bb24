/**
 * One call changes the subscriptions of 10,000 people while others send to another channel. Measures how long
 * the call takes, and how it delays the sends.
 */
import { median } from "./harness/figures.ts";
import type { Person } from "./harness/fixture.ts";
import type { InterruptedTask, Interruption, Stretch } from "./harness/interrupted-sends.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, interruptSends, startParley } from "./harness/processes.ts";
import { registerQueues } from "./harness/queues.ts";
import { checkRest, measureFsync, printGoal, printTable, type Row, save } from "./harness/report.ts";
import { authorization, post, sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { spending } from "./harness/used.ts";

const PEOPLE = size(10_000, 500);
const SENDERS = 16;
/** Clients with a queue that do not ask for the initial state. */
const QUEUES = size(200, 20);
const CALLS = size(5, 2);

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const parley = await startParley({
    people: PEOPLE,
    keys: Math.max(SENDERS, QUEUES),
    subscribers: SENDERS,
    channels: CALLS,
  });
  const { people, channelId, port } = parley;
  const person = people[0] as Person;
  await registerQueues(port, people.slice(0, QUEUES), ["message", "subscription", "stream", "user_group"]);
  const groupId = await createGroup(port, person);
  const everyone = JSON.stringify(Array.from({ length: PEOPLE }, (_, index) => person.id + index));
  const calls = Array.from({ length: CALLS }, (_, index) => [
    {
      what: "subscribed",
      request: post(person, "/users/me/subscriptions", {
        subscriptions: JSON.stringify([{ name: `channel ${index + 1}` }]),
        principals: everyone,
      }),
    },
    {
      what: "put into a group",
      request: post(person, `/user_groups/${groupId}/members`, { add: everyone }),
    },
    {
      what: "taken out of it",
      request: post(person, `/user_groups/${groupId}/members`, { delete: everyone }),
    },
  ]).flat();
  const task: InterruptedTask = {
    port,
    sends: sends(channelId, people.slice(0, SENDERS)),
    inFlight: SENDERS,
    warmupSeconds: size(3, 0.5),
    seconds: size(3, 0.5),
    interruptions: calls.map(({ request }) => request),
  };
  const { result } = await spending(parley, () => interruptSends(task));
  const { quiet, interrupted } = result;
  printTable(
    `${PEOPLE} people in one call, ${SENDERS} sends in flight, ${QUEUES} queues; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`,
    interrupted.flatMap((call, index) => [
      row("before", quiet[index] as Stretch, undefined),
      row(calls[index]?.what as string, call, call.usualGapMs),
    ]),
  );
  console.log();
  const callMs = Math.max(...interrupted.map(({ ms }) => ms));
  const gapMs = Math.max(...interrupted.map((call) => call.gapMs));
  const addedGapMs = median(interrupted.map((call: Interruption) => call.gapMs - call.usualGapMs));
  printGoal("longest call, ms", callMs, { most: 2000 });
  console.log(`longest time without a send, ms: ${gapMs.toFixed(0)}`);
  printGoal("how much longer than without the call, median, ms", addedGapMs, { most: 50 });
  save("bulk", { fsync, heapFlags: HEAP_FLAGS, people: PEOPLE, callMs, gapMs, addedGapMs, ...result });
});

async function createGroup(port: number, person: Person): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/user_groups/create`, {
    method: "POST",
    headers: { authorization: authorization(person) },
    body: new URLSearchParams({ name: "bulk", description: "", members: "[]" }),
  });
  const body = (await response.json()) as { group_id: number };
  if (!response.ok) throw new Error(JSON.stringify(body));
  return body.group_id;
}

function row(what: string, stretch: Stretch, usualGapMs: number | undefined): Row {
  return {
    what,
    ms: stretch.ms,
    "sends/s": stretch.perSecond,
    "p50 ms": stretch.p50Ms,
    "p99 ms": stretch.p99Ms,
    "longest gap ms": stretch.gapMs,
    "usual in that time": usualGapMs,
  };
}
