/**
 * A load generator in a process of its own: connections that each send the next request as soon as the last
 * one is answered. Reads its task from the parent as one message, answers with one message.
 */
import { type Spread, sleep, spreadOf } from "./figures.ts";
import { HttpConnection } from "./http-connection.ts";
import { answerTask } from "./task.ts";

export interface LoadTask {
  port: number;
  connections: number;
  warmupSeconds: number;
  seconds: number;
  /** Whole HTTP requests; each connection takes the next one in turn. */
  requests: string[];
}

export interface LoadResult extends Spread {
  requests: number;
  /** All answers, those of the warm-up included. */
  answers: number;
  seconds: number;
  perSecond: number;
  /** Mean size of a response, with its head. */
  bytes: number;
  /** Responses whose status was not 200. */
  failures: number;
  firstFailure: string | undefined;
}

class Run {
  isOver = false;
  isCounting = false;
  answers = 0;
  failures = 0;
  firstFailure: string | undefined;
  bytes = 0;
  readonly latencies: number[] = [];
  readonly #requests: Buffer[];
  #index = 0;

  constructor(requests: string[]) {
    this.#requests = requests.map((request) => Buffer.from(request));
  }

  next(): Buffer {
    this.#index = (this.#index + 1) % this.#requests.length;
    return this.#requests[this.#index] as Buffer;
  }

  count(latencyMs: number, bytes: number): void {
    this.answers++;
    if (!this.isCounting) return;
    this.latencies.push(latencyMs);
    this.bytes += bytes;
  }

  fail(text: string): void {
    this.failures++;
    this.firstFailure ??= text;
  }
}

function openConnection(run: Run, port: number): HttpConnection {
  let sentAt = 0;
  const send = () => {
    sentAt = performance.now();
    connection.send(run.next());
  };
  const connection = new HttpConnection(port, {
    onOpen: send,
    onAnswer(isOk, answer) {
      if (!isOk) run.fail(answer.toString("utf8", 0, 2000));
      run.count(performance.now() - sentAt, answer.length);
      if (!run.isOver) send();
    },
    onError: (error) => run.fail(String(error)),
  });
  return connection;
}

answerTask<LoadTask, LoadResult>(async (task) => {
  const run = new Run(task.requests);
  const connections = Array.from({ length: task.connections }, () => openConnection(run, task.port));
  await sleep(task.warmupSeconds * 1000);
  run.isCounting = true;
  const startedAt = performance.now();
  await sleep(task.seconds * 1000);
  run.isOver = true;
  run.isCounting = false;
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of connections) connection.close();
  const requests = run.latencies.length;
  return {
    requests,
    answers: run.answers,
    seconds,
    perSecond: requests / seconds,
    bytes: run.bytes / requests,
    failures: run.failures,
    firstFailure: run.firstFailure,
    ...spreadOf(run.latencies),
  };
});
