/** The program of one of several workers on a machine: a whole node, but for the database and the port, which it is given. */
import { createLog, createServer, listen, startCore } from "../app.ts";
import type { Config } from "../config.ts";
import type { Connection } from "../platform/db/database.ts";
import type { CounterUpdate, RateLimitPeers } from "../platform/http/counter-sync.ts";
import { Shutdown } from "./shutdown.ts";
import type { FromWorker, ToWorker } from "./worker-pool.ts";

export interface WorkerStart {
  config: Config;
  connection: Connection;
}

process.on("message", hear);
// A terminal sends Ctrl+C to the whole group; the parent tells us when it is to be.
process.on("SIGINT", () => {});

let shutdown: Shutdown | undefined;
let hearNews: (news: CounterUpdate) => void = () => {};

function hear(message: ToWorker<WorkerStart>): void {
  if ("start" in message) void run(message.start, message.port);
  else if ("stop" in message) shutdown?.begin(0);
  else hearNews(message.news as CounterUpdate);
}

async function run({ config, connection }: WorkerStart, port: number): Promise<void> {
  const log = createLog(config);
  shutdown = new Shutdown(log, ["SIGTERM"]);
  let code = 1;
  try {
    const core = await startCore(config, log, connection);
    shutdown.onStop(() => core.stop());
    const app = await createServer(core.services, peers);
    shutdown.onStop(() => app.close());
    await listen(app, config.host, port);
    code = await shutdown.begun;
  } catch (error) {
    log.debug({ err: error }, "the worker can't start");
    say({ failed: failureOf(error as Error) });
  } finally {
    await shutdown.stopAll();
  }
  process.exit(code);
}

const peers: RateLimitPeers = {
  send: (news) => say({ news }),
  onUpdate(listener) {
    hearNews = listener;
  },
};

say({ ready: true });

function say(message: FromWorker): void {
  // Without a parent there is nobody to tell, and the process is about to end.
  if (process.connected) process.send?.(message);
}

function failureOf(error: Error & Partial<Record<"code" | "address" | "port" | "syscall", unknown>>) {
  const { name, message, stack, code, address, port, syscall } = error;
  return { name, message, stack, code, address, port, syscall };
}
