/**
 * The time from a send to its arrival: 50 sends a second to 100 long-polling listeners. The round trip of a
 * POST to a bare node:http server at the same pace is subtracted. Beside it, a bare server that answers the
 * same 100 held requests at each POST.
 */

import type { ListenResult, ListenTask } from "./harness/listen.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, listen, startBareServer, startParley } from "./harness/processes.ts";
import { registerQueues } from "./harness/queues.ts";
import { checkRest, measureFsync, printGoal, printTable, save } from "./harness/report.ts";
import { poll, sends } from "./harness/requests.ts";
import { sampleAnswer } from "./harness/sample-answer.ts";
import { scenario } from "./harness/scenario.ts";
import { spending } from "./harness/used.ts";

const LISTENERS = size(100, 10);
const SENDERS = 20;
const PER_SECOND = 50;

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const bare = await startBareServer();
  const parley = await startParley({
    people: LISTENERS + SENDERS,
    keys: LISTENERS + SENDERS,
    subscribers: LISTENERS,
  });
  const requests = sends(parley.channelId, parley.people.slice(LISTENERS));
  const { text, lastEventId } = await sampleAnswer(parley.port, parley.people, requests[0] as string);
  const queues = await registerQueues(parley.port, parley.people.slice(0, LISTENERS));
  const polls = queues.map(({ person, queueId }) => poll(person, queueId));
  const task: Omit<ListenTask, "port" | "polls" | "lastEventId"> = {
    sends: { requests, pace: { by: "clock", perSecond: PER_SECOND } },
    isTiming: true,
    warmupSeconds: size(3, 0.5),
    seconds: size(20, 1),
  };

  const trip = await listen({ ...task, port: bare.port, polls: [], lastEventId: 0 });
  await bare.peer.ask({ ask: "hold", releaseAt: 0, text });
  const hub = await listen({ ...task, port: bare.port, polls, lastEventId: trip.allSends, mayMiss: true });
  const { result, spent } = await spending(parley, () =>
    listen({ ...task, port: parley.port, polls, lastEventId }),
  );

  printTable(
    `${PER_SECOND} sends/s to ${LISTENERS} listeners; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s; ${spent.batch.toFixed(2)} messages a batch`,
    [
      row("bare: POST", trip, trip.answered),
      row(`bare: POST to ${LISTENERS} held`, hub, hub.heard),
      row("parley: send", result, result.answered),
      row("parley: send to receive", result, result.heard),
    ],
  );
  console.log();
  const above = {
    p50Ms: result.heard.p50Ms - hub.heard.p50Ms,
    p99Ms: result.heard.p99Ms - hub.heard.p99Ms,
  };
  printGoal("p50 above the bare fan-out, ms", above.p50Ms, { most: 4 });
  printGoal("p99 above the bare fan-out, ms", above.p99Ms, { most: 10 });
  printGoal("longest scavenge, ms", spent.longestScavengeMs, { most: 5 });
  console.log(`${spent.scavenges} scavenges, ${spent.meanScavengeMs.toFixed(2)} ms each`);
  save("latency", {
    fsync,
    heapFlags: HEAP_FLAGS,
    listeners: LISTENERS,
    perSecond: PER_SECOND,
    above,
    bareTrip: trip,
    bareHeld: hub,
    parley: result,
    spent,
  });
});

function row(what: string, result: ListenResult, spread: ListenResult["heard"]) {
  return {
    what,
    "sends/s": result.sends / result.seconds,
    "deliveries/s": result.deliveries / result.seconds,
    "p50 ms": spread.p50Ms,
    "p99 ms": spread.p99Ms,
    "max ms": spread.maxMs,
  };
}
