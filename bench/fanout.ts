/**
 * Deliveries a second in one channel with 1,000 listeners. First with one event a response, against a
 * bare node:http server that answers 1,000 held requests with a text of the same length. Then with more
 * sends in flight, so that events share responses.
 */
import { median } from "./harness/figures.ts";
import type { ListenResult, ListenTask } from "./harness/listen.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, listen, startBareServer, startParley } from "./harness/processes.ts";
import { registerQueues } from "./harness/queues.ts";
import { checkRest, measureFsync, printGoal, printTable, type Row, save } from "./harness/report.ts";
import { poll, sends } from "./harness/requests.ts";
import { sampleAnswer } from "./harness/sample-answer.ts";
import { scenario } from "./harness/scenario.ts";
import { each, type Spent, spending } from "./harness/used.ts";

const LISTENERS = size(1000, 50);
const SENDERS = 64;
const ROUNDS = size(3, 1);

interface Heard {
  what: string;
  result: ListenResult;
  spent: Spent | undefined;
}

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
  const sample = await sampleAnswer(parley.port, parley.people, requests[0] as string);
  await bare.peer.ask({ ask: "hold", releaseAt: LISTENERS, text: sample.text });
  const queues = await registerQueues(parley.port, parley.people.slice(0, LISTENERS));
  const task: Omit<ListenTask, "port" | "lastEventId" | "sends"> = {
    polls: queues.map(({ person, queueId }) => poll(person, queueId)),
    isTiming: false,
    warmupSeconds: size(2, 0.3),
    seconds: size(6, 1),
  };
  let { lastEventId } = sample;
  const listenToBare = async (): Promise<Heard> => {
    const result = await listen({ ...task, port: bare.port, lastEventId: 0, sends: undefined });
    return { what: `bare, ${LISTENERS} held`, result, spent: undefined };
  };
  const listenToParley = async (inFlight: number): Promise<Heard> => {
    const sending = { requests, pace: { by: "flights", inFlight } as const };
    const { result, spent } = await spending(parley, () =>
      listen({ ...task, port: parley.port, lastEventId, sends: sending }),
    );
    lastEventId = result.lastEventId;
    return { what: `parley, ${inFlight} in flight`, result, spent };
  };

  const rounds: { bare: Heard; one: Heard }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await listenToBare(),
      one: await listenToParley(1),
    });
  }
  const flights: Heard[] = [];
  for (const inFlight of [4, 16, 64]) flights.push(await listenToParley(inFlight));

  printTable(
    `1 channel, ${LISTENERS} listeners; ${HEAP_FLAGS.join(" ")}; an answer of ${sample.text.length} B; fdatasync ${fsync}/s`,
    [...rounds.flatMap((round) => [round.bare, round.one]), ...flights].map(row),
  );
  const ratio = median(rounds.map((round) => responsesOf(round.one) / responsesOf(round.bare)));
  const sixteen = flights[1] as Heard;
  const deliveries = sixteen.result.deliveries / sixteen.result.seconds;
  console.log();
  printGoal("one event a response, ratio to bare", ratio, { least: 1.5 });
  printGoal("16 sends in flight, deliveries/s", deliveries, { least: 200_000 });
  save("fanout", { fsync, heapFlags: HEAP_FLAGS, listeners: LISTENERS, ratio, deliveries, rounds, flights });
});

function responsesOf({ result }: Heard): number {
  return result.responses / result.seconds;
}

function row({ what, result, spent }: Heard): Row {
  return {
    what,
    "responses/s": result.responses / result.seconds,
    "deliveries/s": result.deliveries / result.seconds,
    "events a response": result.deliveries / result.responses,
    "sends/s": result.sends / result.seconds,
    "answered p50 ms": result.answered.p50Ms,
    "a batch": spent?.batch,
    "node µs a response": each(spent?.nodeSeconds, result.allResponses),
  };
}
