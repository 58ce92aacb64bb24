/**
 * An edit in a channel with 5,000 subscribers who all have an event queue, against a plain send to the same
 * channel. Every second subscriber has read the messages, so that their flags differ. First nobody polls, and
 * then 50 of them do. Before that, topics of one message are resolved. A notice follows each time, which
 * counts as read for nearly everybody.
 */
import { type Spread, sleep, spreadOf } from "./harness/figures.ts";
import type { Person } from "./harness/fixture.ts";
import { HttpConnection } from "./harness/http-connection.ts";
import { size } from "./harness/options.ts";
import type { Ready } from "./harness/parley-server.ts";
import { HEAP_FLAGS, type Server, startParley } from "./harness/processes.ts";
import { type Registered, registerQueues } from "./harness/queues.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { authorization, poll } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";

const PEOPLE = size(5000, 100);
const POLLING = size(50, 5);
const WARMUP = size(10, 2);
const COUNT = size(50, 5);
const AT_A_TIME = 20;
/** Until everything that a request causes is over. */
const REST_MS = 60;

interface Measured {
  answered: Spread;
  /** The longest time, for each request, in which the server did nothing else. */
  stalled: Spread;
}

await scenario(async () => {
  checkRest();
  const parley = await startParley({ people: PEOPLE, keys: PEOPLE, subscribers: PEOPLE });
  const [author] = parley.people as [Person];
  const send = (content: string, topic = "plans") =>
    call(parley.port, author, "POST", "/messages", {
      type: "channel",
      to: String(parley.channelId),
      topic,
      content,
    });
  const ids: number[] = [];
  for (let count = 0; count < WARMUP + COUNT; count++) ids.push((await send(`Draft ${count}.`)).id as number);
  await readAll(parley, ids);
  const queues = await registerQueues(parley.port, parley.people, ["message", "update_message"]);
  const edit = (number: number, version: string) =>
    call(parley.port, author, "PATCH", `/messages/${ids[number]}`, { content: `**${version}** ${number}.` });

  const asked: number[] = [];
  for (let count = 0; count < WARMUP + COUNT; count++) {
    asked.push((await send("A question.", `question ${count}`)).id as number);
  }
  const resolve = (number: number) =>
    call(parley.port, author, "PATCH", `/messages/${asked[number]}`, { topic: `✔ question ${number}` });

  const resolved = await measure(parley, resolve);
  const sent = await measure(parley, (number) => send(`Plain ${number}.`));
  const edited = await measure(parley, (number) => edit(number, "Final"));
  const stop = pollAll(parley.port, queues.slice(0, POLLING));
  await sleep(500);
  const sentToPolls = await measure(parley, (number) => send(`More ${number}.`));
  const editedToPolls = await measure(parley, (number) => edit(number, "Corrected"));
  stop();

  const row = (what: string, { answered, stalled }: Measured) => ({
    what,
    "p50 ms": answered.p50Ms,
    "max ms": answered.maxMs,
    "stall p50 ms": stalled.p50Ms,
    "stall max ms": stalled.maxMs,
  });
  printTable(
    `1 channel, ${PEOPLE} subscribers with a queue, half of whom have read; ${HEAP_FLAGS.join(" ")}`,
    [
      row("resolve", resolved),
      row("send", sent),
      row("edit", edited),
      row(`send, ${POLLING} poll`, sentToPolls),
      row(`edit, ${POLLING} poll`, editedToPolls),
    ],
  );
  console.log();
  printGoal("edit, p50 ms", edited.answered.p50Ms, { most: 15 });
  printGoal("stall of an edit, p50 ms", edited.stalled.p50Ms, { most: 10 });
  save("edit", {
    heapFlags: HEAP_FLAGS,
    people: PEOPLE,
    polling: POLLING,
    resolved,
    sent,
    edited,
    sentToPolls,
    editedToPolls,
  });
});

async function measure(
  { peer }: Server<Ready>,
  request: (number: number) => Promise<unknown>,
): Promise<Measured> {
  const answered: number[] = [];
  const stalled: number[] = [];
  for (let number = 0; number < WARMUP + COUNT; number++) {
    await peer.ask({ ask: "stall" });
    const startedAt = performance.now();
    await request(number);
    const milliseconds = performance.now() - startedAt;
    await sleep(REST_MS);
    const { stallMs } = await peer.ask<{ stallMs: number }>({ ask: "stall" });
    if (number < WARMUP) continue;
    answered.push(milliseconds);
    stalled.push(stallMs);
  }
  return { answered: spreadOf(answered), stalled: spreadOf(stalled) };
}

/** Every second person reads these messages. */
async function readAll({ port, people }: Server<Ready>, ids: readonly number[]): Promise<void> {
  const readers = people.filter((_, index) => index % 2 === 1);
  const read = { messages: JSON.stringify(ids), op: "add", flag: "read" };
  for (let index = 0; index < readers.length; index += AT_A_TIME) {
    const some = readers.slice(index, index + AT_A_TIME);
    await Promise.all(some.map((person) => call(port, person, "POST", "/messages/flags", read)));
  }
}

/** Polls each queue again and again. Returns a function that ends it. */
function pollAll(port: number, queues: readonly Registered[]): () => void {
  const connections = queues.map(({ person, queueId, lastEventId }) => {
    const { before, after } = poll(person, queueId);
    let last = lastEventId;
    const connection = new HttpConnection(port, {
      onOpen: () => connection.send(`${before}${last}${after}`),
      onAnswer(isOk, answer, bodyStart) {
        const body = answer.toString("utf8", bodyStart);
        if (!isOk) throw new Error(body);
        last = (JSON.parse(body) as { events: { id: number }[] }).events.at(-1)?.id ?? last;
        connection.send(`${before}${last}${after}`);
      },
      onError: (error) => {
        throw error;
      },
    });
    return connection;
  });
  return () => {
    for (const connection of connections) connection.close();
  };
}

async function call(
  port: number,
  person: Person,
  method: string,
  path: string,
  parameters: Record<string, string>,
): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization: authorization(person) },
    body: new URLSearchParams(parameters),
  });
  const body = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(JSON.stringify(body));
  return body;
}
