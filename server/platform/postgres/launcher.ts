// The embedded PostgreSQL: the real server, from the binaries that npm installs. It listens on a Unix socket
// that only its own user can reach.

import { statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findNative, loadBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { explainLastWords } from "./cluster-files.ts";
import { ensureDataDirectory } from "./data-directory.ts";
import { DiskReserve } from "./disk-reserve.ts";
import { chooseIdentity } from "./identity.ts";
import { KeptServer, StartInterrupted } from "./kept-server.ts";
import { lockDataDirectory } from "./lock.ts";
import { endOrphan } from "./orphan.ts";
import { type Connection, waitUntilReady } from "./ready.ts";
import {
  hasSocket,
  makeRuntimeDirectory,
  openSocketDirectory,
  type RuntimeDirectory,
  removeRuntimeDirectory,
} from "./runtime-directory.ts";
import { serverSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";
import { type Supervised, superviseCommand } from "./supervise.ts";
import { checkWhole } from "./unfinished-restore.ts";

export interface EmbeddedPostgres {
  /** The options of `pg` for a connection: a Unix socket, without a password. */
  connection: Connection;
  /** Identifies the cluster's files: a copy of the data directory has another place. */
  place: string;
  /**
   * Shuts the server down, ends its sessions, and releases the data directory. After `timeoutMs` (3,500 by
   * default) the server is stopped at once, as by a crash. That loses nothing, but the next start has to
   * recover. May be called repeatedly.
   */
  stop(timeoutMs?: number): Promise<void>;
  /**
   * Resolves with a sentence if the server has ended without a call of `stop` and could not be restarted.
   * Most ends do not get this far: sessions break, and within a second there is a server on the same socket.
   */
  exited: Promise<string>;
}

export interface EmbeddedPostgresOptions {
  /** Parley's data directory, created if it is missing. The cluster is its subdirectory `postgres`. */
  dataDir: string;
  /** Called with each line of PostgreSQL's log. */
  log?: (line: string) => void;
  /** Called with a sentence each time the server has ended by itself and is restarted. */
  onEnd?: (sentence: string) => void;
  /** Called with a sentence when clients can connect again after that. */
  onReturn?: (sentence: string) => void;
  /** Settings that override the defaults, such as `fsync: "off"` for a temporary cluster. */
  settings?: Record<string, string>;
  /** How long a start may take, including recovery after a crash; 5 minutes by default. */
  readyTimeoutMs?: number;
  /** Whether a server is started, which then waits for a command that has the directory. */
  isServer?: boolean;
  /** Called with a sentence if it waits. */
  onWait?: (sentence: string) => void;
  /** Called with a sentence if the disk is full, and the room kept for a start is used. */
  onFullDisk?: (sentence: string) => void;
  /** A restore starts PostgreSQL on a directory that it has marked as unfinished. */
  isRestoring?: boolean;
}

/**
 * Starts PostgreSQL on the data directory, and creates the cluster at the first start. Throws a StartError
 * whose message is for the person who started the server. However this process ends, PostgreSQL ends within
 * seconds of it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const native = findNative(`${process.platform}-${process.arch}`);
  const dataDir = ensureDataDirectory(options.dataDir);
  if (!options.isRestoring) checkWhole(dataDir);
  const { isServer = false, onWait } = options;
  const lock = await lockDataDirectory(dataDir, { isServer, onWait });
  const reserve = new DiskReserve(dataDir);
  const makeRoom = () => {
    if (reserve.release()) options.onFullDisk?.(`The disk of ${dataDir} is full. ${ROOM}`);
  };
  makeRoom();
  const runtime = makeRuntimeDirectory(dataDir);
  const releaseDirectories = async () => {
    await reserve.stop();
    removeRuntimeDirectory(runtime);
    await lock.release();
  };
  try {
    const { server, connection } = await prepare(dataDir, runtime, native, { ...options, makeRoom });
    await server.start();
    if (isServer) reserve.keep();
    const place = placeOf(path.join(dataDir, "postgres"));
    return { ...handleOf(server, connection, releaseDirectories), place };
  } catch (error) {
    await releaseDirectories();
    throw error;
  }
}

const ROOM =
  "PostgreSQL starts in the room that was kept for this. Make room: there is none for another time.";

/** Does everything before the start itself, which KeptServer may then repeat. */
async function prepare(
  dataDir: string,
  runtime: RuntimeDirectory,
  native: string,
  options: EmbeddedPostgresOptions & { makeRoom: () => void },
): Promise<{ server: KeptServer; connection: Connection }> {
  const log = options.log ?? (() => {});
  const clusterDir = path.join(dataDir, "postgres");
  const binaries = loadBinaries(native, path.join(dataDir, "postgres-libraries"));
  const directories = [dataDir, runtime.path, path.join(native, "lib"), path.join(native, "share")];
  const identity = await chooseIdentity(binaries, clusterDir, directories);
  await ensureCluster(clusterDir, binaries, identity, options.settings?.fsync === "off");
  const clear = async () => {
    options.makeRoom();
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
    start: (spawned) =>
      untilReady(spawn, spawned, { connection, clusterDir }, options.readyTimeoutMs ?? READY_TIMEOUT_MS),
    clear,
    stop: stopServer,
    hasSocket: () => hasSocket(runtime),
    onEnd: options.onEnd ?? (() => {}),
    onReturn: options.onReturn ?? (() => {}),
  });
  return { server, connection };
}

const READY_TIMEOUT_MS = 300_000;
const OLD_SESSIONS_TIMEOUT_MS = 15_000;

async function untilReady(
  spawn: () => Supervised,
  spawned: (server: Supervised) => void,
  { connection, clusterDir }: { connection: Connection; clusterDir: string },
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
        throw new StartError(
          "postgres-failed",
          `PostgreSQL did not become ready within ${timeoutMs / 1000} seconds.`,
        );
      }
      // What can't start says so with another code.
      if (outcome.signal || outcome.code === 0) throw new StartInterrupted(server, outcome);
      // Sessions of a server that was killed go on for a moment, and PostgreSQL waits for nobody.
      const hasOldSessions = server.lastLines().some((line) => line.includes("pre-existing shared memory"));
      if (!hasOldSessions || Date.now() - startedAt > OLD_SESSIONS_TIMEOUT_MS) {
        const words = lastMessages(server);
        throw new StartError(
          ...(explainLastWords(clusterDir, words) ?? [
            "postgres-failed",
            `PostgreSQL did not start: ${words}`,
          ]),
        );
      }
      await sleep(50);
    } catch (error) {
      await stopServer(server, 1_000);
      if (error instanceof StartError) throw error;
      const { message } = error as Error;
      throw new StartError(
        ...(explainLastWords(clusterDir, message) ?? [
          "postgres-failed",
          `PostgreSQL could not be started: ${message}.`,
        ]),
        { cause: error },
      );
    } finally {
      ready.abort();
    }
  }
}

function lastMessages(server: Supervised): string {
  const lines = server.lastLines();
  // Our own attempts to connect are answered with the first.
  const fatal = lines.filter((line) => /^(FATAL|PANIC):(?! +the database system is)/.test(line));
  return (fatal.length > 0 ? fatal : lines.slice(-4)).join("; ") || "it wrote no reason.";
}

/** PostgreSQL writes this file in place as long as the cluster lives. A copy is another file. */
function placeOf(clusterDir: string): string {
  const { ino, birthtimeMs } = statSync(path.join(clusterDir, "global", "pg_control"));
  return `${ino}/${Math.round(birthtimeMs)}`;
}

function handleOf(
  server: KeptServer,
  connection: Connection,
  releaseDirectories: () => Promise<void>,
): Omit<EmbeddedPostgres, "place"> {
  let stopping: Promise<void> | undefined;
  return {
    connection,
    stop(timeoutMs = 3_500) {
      stopping ??= server.stop(timeoutMs).then(releaseDirectories);
      return stopping;
    },
    exited: server.gaveUp,
  };
}

/** SIGINT ends sessions and stops cleanly. SIGTERM would wait for the sessions to end by themselves. */
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
