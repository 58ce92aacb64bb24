/** 10,000 people are subscribed to a channel by one call while others send: how long it takes, and what sends notice. */
import type { InterruptedTask, Stretch } from "./harness/interrupted-sends.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, interruptSends, startParley } from "./harness/processes.ts";
import { registerQueues } from "./harness/queues.ts";
import { checkRest, measureFsync, printGoal, printTable, type Row, save } from "./harness/report.ts";
import { post, sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { spending } from "./harness/used.ts";

const PEOPLE = size(10_000, 500);
const SENDERS = 16;
/** Clients that are there, but do not ask for what they have. */
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
  await registerQueues(port, people.slice(0, QUEUES), ["message", "subscription", "stream"]);
  const everyone = JSON.stringify(Array.from({ length: PEOPLE }, (_, index) => (people[0]?.id ?? 0) + index));
  const task: InterruptedTask = {
    port,
    sends: sends(channelId, people.slice(0, SENDERS)),
    inFlight: SENDERS,
    warmupSeconds: size(3, 0.5),
    seconds: size(3, 0.5),
    interruptions: Array.from({ length: CALLS }, (_, index) =>
      post(people[0] as (typeof people)[number], "/users/me/subscriptions", {
        subscriptions: JSON.stringify([{ name: `channel ${index + 1}` }]),
        principals: everyone,
      }),
    ),
  };
  const { result } = await spending(parley, () => interruptSends(task));
  printTable(
    `${PEOPLE} people subscribed by one call, ${SENDERS} sends in flight, ${QUEUES} queues; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`,
    result.interrupted.flatMap((stretch, index) => [
      row("before", result.quiet[index] as Stretch),
      row("during the call", stretch),
    ]),
  );
  console.log();
  const callMs = longest(result.interrupted, "ms");
  const gapMs = longest(result.interrupted, "gapMs") - longest(result.quiet, "gapMs");
  printGoal("longest call, ms", callMs, { most: 2000 });
  printGoal("longest time without a send, above that of quiet times, ms", gapMs, { most: 50 });
  save("bulk", { fsync, heapFlags: HEAP_FLAGS, people: PEOPLE, callMs, gapMs, ...result });
});

function row(what: string, stretch: Stretch): Row {
  return {
    what,
    ms: stretch.ms,
    "sends/s": stretch.perSecond,
    "p50 ms": stretch.p50Ms,
    "p99 ms": stretch.p99Ms,
    "longest gap ms": stretch.gapMs,
  };
}

function longest(stretches: readonly Stretch[], what: "ms" | "gapMs"): number {
  return Math.max(...stretches.map((stretch) => stretch[what]));
}
