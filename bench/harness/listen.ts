/**
 * Long-polling listeners and their senders, in one process so that one clock times both. A listener polls
 * again as soon as it has a response. At the end every listener must have received every message, once and in
 * order.
 */
import { type Spread, sleep, spreadOf } from "./figures.ts";
import { HttpConnection } from "./http-connection.ts";
import { type Pace, Senders } from "./senders.ts";
import { answerTask } from "./task.ts";

export interface ListenTask {
  port: number;
  /** A listener each: the request around its `last_event_id`. */
  polls: { before: string; after: string }[];
  /** Where all of them start. */
  lastEventId: number;
  sends: { requests: string[]; pace: Pace } | undefined;
  /** Whether to time each delivery. Each costs the load a little, so it is only for few deliveries. */
  isTiming: boolean;
  /** The bare server forgets what comes while a listener is between two polls. */
  mayMiss?: boolean;
  warmupSeconds: number;
  seconds: number;
}

export interface ListenResult {
  seconds: number;
  responses: number;
  deliveries: number;
  sends: number;
  /** Since the start, with the warm-up and the last deliveries. */
  allResponses: number;
  allSends: number;
  /** From a send to its response. */
  answered: Spread;
  /** From a send to its arrival at a listener. */
  heard: Spread;
  lastEventId: number;
}

const EVENT = Buffer.from('"type":"message"');
const ID = Buffer.from('"id":');
const DRAIN_MS = 20_000;

class Listening {
  isOver = false;
  isCounting = false;
  responses = 0;
  deliveries = 0;
  /** Since the start, counted or not. */
  allResponses = 0;
  readonly heard: { id: number; at: number }[] = [];
  readonly listeners: Listener[];
  readonly task: ListenTask;
  failure: unknown;

  constructor(task: ListenTask) {
    this.task = task;
    this.listeners = task.polls.map((poll) => new Listener(this, poll));
  }

  note(answer: Buffer, bodyStart: number, count: number): void {
    this.allResponses++;
    if (this.isCounting) {
      this.responses++;
      this.deliveries += count;
      if (this.task.isTiming) this.#time(answer.toString("utf8", bodyStart));
    }
  }

  #time(body: string): void {
    const at = performance.now();
    for (const { type, id } of (JSON.parse(body) as { events: { type: string; id: number }[] }).events) {
      if (type === "message") this.heard.push({ id, at });
    }
  }

  fail(error: unknown): void {
    this.failure ??= error;
  }
}

class Listener {
  lastEventId: number;
  events = 0;
  readonly #run: Listening;
  readonly #poll: ListenTask["polls"][number];
  readonly #connection: HttpConnection;

  constructor(run: Listening, poll: ListenTask["polls"][number]) {
    this.#run = run;
    this.#poll = poll;
    this.lastEventId = run.task.lastEventId;
    this.#connection = new HttpConnection(run.task.port, {
      onOpen: () => this.#ask(),
      onAnswer: (isOk, answer, bodyStart) => this.#hear(isOk, answer, bodyStart),
      onError: (error) => run.fail(error),
    });
  }

  close(): void {
    this.#connection.close();
  }

  #ask(): void {
    this.#connection.send(`${this.#poll.before}${this.lastEventId}${this.#poll.after}`);
  }

  #hear(isOk: boolean, answer: Buffer, bodyStart: number): void {
    if (!isOk) {
      this.#run.fail(new Error(answer.toString("utf8", 0, 2000)));
      return;
    }
    const count = countEvents(answer, bodyStart);
    const last = lastId(answer);
    if (this.#run.task.sends && last <= this.lastEventId) {
      this.#run.fail(new Error(`event ${last} came after event ${this.lastEventId}`));
      return;
    }
    this.lastEventId = last;
    this.events += count;
    // The next poll goes out first, so that it is waiting when the next send comes.
    if (!this.#run.isOver) this.#ask();
    this.#run.note(answer, bodyStart, count);
  }
}

function countEvents(answer: Buffer, bodyStart: number): number {
  let count = 0;
  for (let at = answer.indexOf(EVENT, bodyStart); at >= 0; at = answer.indexOf(EVENT, at + EVENT.length))
    count++;
  return count;
}

/** An event's id is its last field, and only the queue's id comes after it. */
function lastId(answer: Buffer): number {
  let id = 0;
  for (let at = answer.lastIndexOf(ID) + ID.length; at < answer.length; at++) {
    const digit = (answer[at] as number) - 48;
    if (digit < 0 || digit > 9) break;
    id = id * 10 + digit;
  }
  return id;
}

async function listen(task: ListenTask): Promise<ListenResult> {
  const run = new Listening(task);
  // Time for all listeners to be there.
  await sleep(300);
  const senders = task.sends && new Senders(task.port, task.sends, (error) => run.fail(error));
  senders?.start();
  await sleep(task.warmupSeconds * 1000);
  const startedAt = performance.now();
  run.isCounting = true;
  if (senders) senders.isCounting = true;
  await sleep(task.seconds * 1000);
  run.isCounting = false;
  if (senders) senders.isCounting = false;
  const seconds = (performance.now() - startedAt) / 1000;
  // Counts only the sends within the time, while the last deliveries are on their way.
  const { responses, deliveries } = run;
  const sends = senders?.counted.length ?? 0;
  run.isCounting = task.isTiming;
  await senders?.stop();
  if (senders && !task.mayMiss) await drain(run, senders);
  run.isOver = true;
  if (run.failure) throw run.failure;
  for (const listener of run.listeners) listener.close();
  return {
    seconds,
    responses,
    deliveries,
    sends,
    allResponses: run.allResponses,
    allSends: senders?.count ?? 0,
    answered: spreadOf(senders?.counted.map((send) => send.answeredAt - send.sentAt) ?? []),
    heard: spreadOf(times(run, senders)),
    lastEventId: run.listeners[0]?.lastEventId ?? task.lastEventId,
  };
}

/** Waits for the last deliveries, and checks that no listener missed a message. */
async function drain(run: Listening, senders: Senders): Promise<void> {
  const isComplete = (listener: Listener) => listener.events === senders.count;
  const endsAt = performance.now() + DRAIN_MS;
  while (!run.failure && performance.now() < endsAt && !run.listeners.every(isComplete)) await sleep(5);
  const incomplete = run.listeners.filter((listener) => !isComplete(listener));
  if (incomplete.length > 0) {
    const example = incomplete[0] as Listener;
    run.fail(
      new Error(`${incomplete.length} listeners did not get all: ${example.events} of ${senders.count}`),
    );
  }
}

function times(run: Listening, senders: Senders | undefined): number[] {
  const sentAt = new Map(senders?.counted.map((send) => [send.id, send.sentAt]));
  return run.heard.flatMap(({ id, at }) => {
    const sent = sentAt.get(id);
    return sent === undefined ? [] : [at - sent];
  });
}

answerTask(listen);
