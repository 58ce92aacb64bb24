/**
 * Gathers in the parent process what its workers measure. Their numbers are added up, so that one address
 * serves the whole server.
 *
 * A sum of counters must never go down: Prometheus would take that for a restart, and see a burst when the
 * sum is back. So the last counters of a worker that is silent still count, and those of workers that have
 * ended are kept, added up. What such a worker counted after its last answer is lost. Its gauges are left
 * out.
 */
import cluster, { type Worker } from "node:cluster";
import { addUp } from "../platform/metrics/exposition.ts";
import { ProcessMetrics } from "../platform/metrics/process-metrics.ts";
import { gauge, isCumulative, type Reading } from "../platform/metrics/reading.ts";
import { buildInfo } from "./node-metrics.ts";
import type { FromWorker } from "./worker-pool.ts";

/** A worker that does not answer within this time is left out. */
const ANSWER_MS = 1000;

type Readings = readonly Reading[];

export class WorkerMetrics {
  readonly #process = new ProcessMetrics();
  readonly #counted = new CountedByWorkers();
  #questions = 0;

  /** The readings of this process, and of each worker. */
  async gather(): Promise<Readings[]> {
    const [own, answers] = await Promise.all([this.#process.read(), askWorkers(++this.#questions)]);
    const workers = [
      gauge("parley_workers_answering", "Workers whose numbers are in this answer.", answers.size),
    ];
    const silent = await this.#counted.note(answers, new Set(Object.keys(cluster.workers ?? {}).map(Number)));
    return [[buildInfo(), ...workers, ...own], ...answers.values(), ...silent];
  }
}

/** The counters of workers that do not answer: they may be busy, or have ended. */
export class CountedByWorkers {
  readonly #last = new Map<number, Readings>();
  #ended: Readings = [];

  /** Takes the answers of a round. Returns the counters that are in none of them. */
  async note(answers: ReadonlyMap<number, Readings>, running: ReadonlySet<number>): Promise<Readings[]> {
    for (const [id, readings] of answers) this.#last.set(id, readings.filter(isCumulative));
    const silent = [...this.#last].filter(([id]) => !answers.has(id));
    const ended = silent.filter(([id]) => !running.has(id));
    if (ended.length > 0) {
      for (const [id] of ended) this.#last.delete(id);
      this.#ended = await addUp([this.#ended, ...ended.map(([, readings]) => readings)]);
    }
    return [this.#ended, ...silent.filter(([id]) => running.has(id)).map(([, readings]) => readings)];
  }
}

/** The answers that came in time, by worker. The number of the question keeps late answers apart. */
function askWorkers(question: number): Promise<Map<number, Readings>> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
  const answers = new Map<number, Readings>();
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      cluster.off("message", receive);
      resolve(answers);
    };
    const receive = (worker: Worker, message: FromWorker) => {
      if (!("metrics" in message) || message.question !== question) return;
      answers.set(worker.id, message.metrics);
      if (answers.size === workers.length) finish();
    };
    const timer = setTimeout(finish, ANSWER_MS);
    cluster.on("message", receive);
    for (const worker of workers) worker?.send({ metrics: question });
    if (workers.length === 0) finish();
  });
}
