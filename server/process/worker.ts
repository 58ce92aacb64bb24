/**
 * The program of a worker process: a whole node, which gets its database connection and its port from the
 * parent.
 */
import { createLog, createServer, startCore } from "../app.ts";
import { type Config, parseSignIn, type SignInTexts } from "../config.ts";
import type { Connection } from "../platform/db/database.ts";
import { listen } from "../platform/http/app.ts";
import type { CounterUpdate, RateLimitPeers } from "../platform/http/counter-sync.ts";
import { HttpStats } from "../platform/http/http-stats.ts";
import type { Reading } from "../platform/metrics/reading.ts";
import { openCertificate } from "../platform/tls/start-tls.ts";
import { Shutdown } from "./shutdown.ts";
import type { FromWorker, ToWorker } from "./worker-pool.ts";

export interface WorkerStart {
  config: Config;
  connection: Connection;
}

process.on("message", receive);
// A terminal sends Ctrl+C and its end to the whole process group, but the parent decides what follows.
for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});

let shutdown: Shutdown | undefined;
let config: Config | undefined;
let readMetrics: (() => Promise<readonly Reading[] | undefined>) | undefined;
let onCounterUpdate: (news: CounterUpdate) => void = () => {};

function receive(message: ToWorker<WorkerStart>): void {
  if ("start" in message) void run(message.start, message);
  else if ("stop" in message) shutdown?.begin(0);
  else if ("signIn" in message) takeSignIn(message.signIn);
  else if ("metrics" in message) void answerMetrics(message.metrics);
  else onCounterUpdate(message.news as CounterUpdate);
}

/** Keys and maps do not survive the way from the parent, so they are made of their texts here. */
function takeSignIn(signInTexts: SignInTexts): void {
  if (config) Object.assign(config, { signInTexts }, parseSignIn(signInTexts));
}

async function run(
  given: WorkerStart,
  { port, turnMs }: { port: number; turnMs: number | undefined },
): Promise<void> {
  if (turnMs !== undefined) setInterval(() => send({ turned: true }), turnMs).unref();
  const { connection } = given;
  config = given.config;
  takeSignIn(config.signInTexts);
  const log = createLog(config);
  shutdown = new Shutdown(log, ["SIGTERM"]);
  const stats = new HttpStats();
  let code = 1;
  try {
    const core = await startCore(config, log, connection);
    core.databaseEnded.then((sentence) => shutdown?.fail(undefined, sentence));
    shutdown.onStop(() => core.stop());
    const certificate = openCertificate(config, log);
    const app = await createServer(core.services, { peers, stats, certificate });
    shutdown.onStop(() => app.close());
    if (config.metrics) {
      const { NodeMetrics } = await import("./node-metrics.ts");
      const metrics = new NodeMetrics(core, stats);
      readMetrics = () =>
        metrics.read().catch((error) => {
          log.error({ err: error }, "the metrics can't be read");
          return undefined;
        });
    }
    await listen(app, config.host, port);
    await core.startJobs();
    code = await shutdown.begun;
  } catch (error) {
    log.debug({ err: error }, "the worker can't start");
    send({ failed: failureOf(error as Error) });
  } finally {
    await shutdown.stopAll();
  }
  process.exit(code);
}

/** A worker that is still starting does not answer, and the parent goes on without it. */
async function answerMetrics(question: number): Promise<void> {
  const metrics = await readMetrics?.();
  if (metrics) send({ metrics, question });
}

const peers: RateLimitPeers = {
  send: (news) => send({ news }),
  onUpdate(listener) {
    onCounterUpdate = listener;
  },
};

send({ ready: true });

function send(message: FromWorker): void {
  // Without its parent the process is about to end.
  if (process.connected) process.send?.(message);
}

function failureOf(error: Error & Partial<Record<"code" | "address" | "port" | "syscall", unknown>>) {
  const { name, message, stack, code, address, port, syscall } = error;
  return { name, message, stack, code, address, port, syscall };
}
