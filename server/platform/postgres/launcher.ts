// The embedded PostgreSQL: the real server, from the binaries that npm installs, on a Unix socket that only its
// own user can reach.

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findNative, loadBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { ensureDataDirectory } from "./data-directory.ts";
import { chooseIdentity } from "./identity.ts";
import { CutShort, KeptServer } from "./kept-server.ts";
import { lockDataDirectory } from "./lock.ts";
import { endOrphan } from "./orphan.ts";
import { type Connection, waitUntilReady } from "./ready.ts";
import {
  makeRuntimeDirectory,
  openSocketDirectory,
  type RuntimeDirectory,
  removeRuntimeDirectory,
} from "./runtime-directory.ts";
import { serverSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";
import { type Supervised, superviseCommand } from "./supervise.ts";

export interface EmbeddedPostgres {
  /** What `pg` needs to connect: a Unix socket, without a password. */
  connection: Connection;
  /**
   * Shuts the server down, ending its sessions, and gives the data directory back. After `timeoutMs` (3,500) it is
   * stopped as if by a crash, which loses nothing and makes the next start recover. May be called again.
   */
  stop(timeoutMs?: number): Promise<void>;
  /**
   * Resolves with a sentence when the server has ended without `stop` having been called and could not be started again.
   * Most ends never get here: sessions break, and within a second there is a server on the same socket.
   */
  exited: Promise<string>;
}

export interface EmbeddedPostgresOptions {
  /** Parley's data directory, made if it is missing; the cluster is its `postgres`. */
  dataDir: string;
  /** Receives what PostgreSQL writes to its log, line by line. */
  log?: (line: string) => void;
  /** Hears, in a sentence, of each time that the server ended by itself and is started again. */
  onEnd?: (sentence: string) => void;
  /** Settings over our own, such as `fsync: "off"` for a cluster that is thrown away. */
  settings?: Record<string, string>;
  /** How long a start may take, recovery after a crash included: 5 minutes. */
  readyTimeoutMs?: number;
}

/**
 * Starts PostgreSQL on the data directory, making the cluster at the first start. Throws a StartError whose
 * message is one sentence. The server never outlives this process by more than seconds, however it ends.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const native = findNative(`${process.platform}-${process.arch}`);
  const dataDir = ensureDataDirectory(options.dataDir);
  const lock = await lockDataDirectory(dataDir);
  const runtime = makeRuntimeDirectory(dataDir);
  const giveBack = async () => {
    removeRuntimeDirectory(runtime);
    await lock.release();
  };
  try {
    const { server, connection } = await prepare(dataDir, runtime, native, options);
    await server.start();
    return handleOf(server, connection, giveBack);
  } catch (error) {
    await giveBack();
    throw error;
  }
}

/** Everything up to the start itself, which may then be repeated. */
async function prepare(
  dataDir: string,
  runtime: RuntimeDirectory,
  native: string,
  options: EmbeddedPostgresOptions,
): Promise<{ server: KeptServer; connection: Connection }> {
  const log = options.log ?? (() => {});
  const clusterDir = path.join(dataDir, "postgres");
  const binaries = loadBinaries(native, path.join(dataDir, "postgres-libraries"));
  const places = [dataDir, runtime.path, path.join(native, "lib"), path.join(native, "share")];
  const identity = await chooseIdentity(binaries, clusterDir, places);
  await ensureCluster(clusterDir, binaries, identity, options.settings?.fsync === "off");
  const clear = async () => {
    openSocketDirectory(runtime, identity.owner);
    await endOrphan(clusterDir, identity.owner, log);
  };
  await clear();

  const command = [binaries.postgres, "-D", clusterDir];
  const settings = { ...serverSettings(runtime.socketDir), ...options.settings };
  for (const [name, value] of Object.entries(settings)) command.push("-c", `${name}=${value}`);
  const connection = { host: runtime.socketDir, port: 5432, user: "parley", database: "parley" };
  const spawn = () => superviseCommand(identity, command, binaries.env, log);
  const server = new KeptServer({
    start: (spawned) => untilReady(spawn, spawned, connection, options.readyTimeoutMs ?? READY_TIMEOUT_MS),
    clear,
    stop: stopServer,
    onEnd: options.onEnd ?? (() => {}),
  });
  return { server, connection };
}

const READY_TIMEOUT_MS = 300_000;
const OLD_SESSIONS_TIMEOUT_MS = 15_000;

async function untilReady(
  spawn: () => Supervised,
  spawned: (server: Supervised) => void,
  connection: Connection,
  timeoutMs: number,
): Promise<Supervised> {
  const startedAt = Date.now();
  for (;;) {
    const server = spawn();
    const ready = new AbortController();
    try {
      spawned(server);
      const outcome = await Promise.race([
        waitUntilReady(connection, ready.signal).then(() => "ready" as const),
        server.end,
        sleep(startedAt + timeoutMs - Date.now(), "late" as const, { signal: ready.signal }),
      ]);
      if (outcome === "ready") return server;
      if (outcome === "late") {
        throw new StartError(`PostgreSQL did not become ready within ${timeoutMs / 1000} seconds.`);
      }
      // What can't start says so with another code.
      if (outcome.signal || outcome.code === 0) throw new CutShort(server, outcome);
      // Sessions of a server that was killed go on for a moment, and PostgreSQL waits for nobody.
      const hasOldSessions = server.lastLines().some((line) => line.includes("pre-existing shared memory"));
      if (!hasOldSessions || Date.now() - startedAt > OLD_SESSIONS_TIMEOUT_MS) {
        throw new StartError(`PostgreSQL did not start: ${lastWords(server)}`);
      }
      await sleep(50);
    } catch (error) {
      await stopServer(server, 1_000);
      if (error instanceof StartError) throw error;
      throw new StartError(`PostgreSQL could not be started: ${(error as Error).message}.`, { cause: error });
    } finally {
      ready.abort();
    }
  }
}

function lastWords(server: Supervised): string {
  const lines = server.lastLines();
  const fatal = lines.filter((line) => /^(FATAL|PANIC):/.test(line));
  return (fatal.length > 0 ? fatal : lines.slice(-4)).join("; ") || "it wrote no reason.";
}

function handleOf(
  server: KeptServer,
  connection: Connection,
  giveBack: () => Promise<void>,
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  return {
    connection,
    stop(timeoutMs = 3_500) {
      stopping ??= server.stop(timeoutMs).then(giveBack);
      return stopping;
    },
    exited: server.gaveUp,
  };
}

/** SIGINT ends sessions and stops cleanly, where SIGTERM would wait for the sessions to end by themselves. */
async function stopServer(server: Supervised, timeoutMs: number): Promise<void> {
  const ended = server.end.then(
    () => true,
    () => true,
  );
  const steps: [NodeJS.Signals, number][] = [
    ["SIGINT", timeoutMs],
    ["SIGQUIT", 1_000],
  ];
  for (const [signal, waitMs] of steps) {
    server.child.kill(signal);
    const late = new AbortController();
    const hasEnded = await Promise.race([ended, sleep(waitMs, false, { signal: late.signal })]);
    late.abort();
    if (hasEnded) return;
  }
  server.child.kill("SIGKILL");
  await ended;
}
