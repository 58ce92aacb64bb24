// One server per data directory. Node has no flock, and a file with a process id fails with reused ids,
// zombies and containers. So the lock is a listening socket. The kernel closes it however its holder ends. A
// process that can connect knows that the holder is alive, even from another container on the same directory.
//
// LOCK: `lock/<n>` is a symbolic link to such a socket, and only the highest number counts. A process that
// finds this socket dead creates the next link, which is atomic and fails if the name exists. Then it looks
// again, and holds the lock if its own number is still the highest. The highest link is never removed; a
// holder removes lower ones only. So a process that was slow between looking and creating always sees that it
// came too late.

import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { noShortPlace, shortTemporaryDirectory } from "./runtime-directory.ts";
import { errorCode, StartError } from "./start-error.ts";

export interface DataDirectoryLock {
  /** Releases the lock. The end of the process releases it in any case. */
  release(): Promise<void>;
}

/** Who takes the lock. */
export interface LockUse {
  /** A server holds it for as long as it runs, and a command for a moment, without a server beside it. */
  isServer: boolean;
  /** Called once with a sentence if a server waits for a command. */
  onWait?: ((sentence: string) => void) | undefined;
}

interface Holder {
  /** The process, as that process itself sees it. */
  pid: number;
  isCommand: boolean;
}

const COMMAND = "command";
/** A command that begins while a server is restarted must not keep that from coming back. */
const WAIT_MS = 60_000;
const POLL_MS = 100;

/**
 * Locks the data directory (a real path) for this process. A server waits for a command that has it, for a
 * minute at most. Throws a StartError that names the holder if there is one.
 */
export async function lockDataDirectory(
  dataDir: string,
  { isServer, onWait }: LockUse,
): Promise<DataDirectoryLock> {
  const dir = path.join(dataDir, "lock");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const deadline = Date.now() + WAIT_MS;
  let hasWaited = false;
  for (;;) {
    const highest = findHighest(dir);
    const holder = await findHolder(dir, highest);
    if (holder !== undefined) {
      if (!isServer || !holder.isCommand || Date.now() > deadline)
        throw new StartError("data-in-use", describeHolder(holder, dataDir));
      if (!hasWaited) onWait?.(`waiting for a command (process ${holder.pid}) that uses the data directory`);
      hasWaited = true;
      await sleep(POLL_MS);
      continue;
    }
    const kind = isServer ? "" : `${COMMAND}-`;
    const unique = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
    const name = `${process.pid}-${kind}${unique}`;
    const release = await listen(dir, name);
    if (!claim(dir, highest + 1, name) || findHighest(dir) !== highest + 1) {
      await release();
      continue;
    }
    removeLower(dir, highest + 1);
    return { release };
  }
}

function describeHolder({ pid, isCommand }: Holder, dataDir: string): string {
  return isCommand
    ? `A command of Parley (process ${pid}) is using the data directory ${dataDir}. Wait until it has ended, then try again.`
    : `Another Parley server (process ${pid}) is already using the data directory ${dataDir}. Stop it, or choose another directory with PARLEY_DATA_DIR.`;
}

/** The id of the process that holds the lock, as that process itself sees it; undefined if none does. */
export async function findLockHolder(dataDir: string): Promise<number | undefined> {
  const dir = path.join(dataDir, "lock");
  return (await findHolder(dir, findHighest(dir)))?.pid;
}

async function findHolder(dir: string, number: number): Promise<Holder | undefined> {
  if (number === 0 || !(await isListening(dir, String(number)))) return undefined;
  try {
    const name = readlinkSync(path.join(dir, String(number)));
    return { pid: Number.parseInt(name, 10), isCommand: name.includes(COMMAND) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function findHighest(dir: string): number {
  try {
    return Math.max(0, ...readdirSync(dir).filter(isNumber).map(Number));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return 0;
    throw error;
  }
}

function isNumber(name: string): boolean {
  return /^[0-9]+$/.test(name);
}

function claim(dir: string, number: number, socketName: string): boolean {
  try {
    symlinkSync(socketName, path.join(dir, String(number)));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function removeLower(dir: string, number: number): void {
  for (const name of readdirSync(dir).filter(isNumber)) {
    if (Number(name) >= number) continue;
    const link = path.join(dir, name);
    try {
      rmSync(path.join(dir, path.basename(readlinkSync(link))), { force: true });
      rmSync(link, { force: true });
    } catch (error) {
      // A process that came too late removes its own files at the same time.
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }
}

/** Listens on a socket and resolves with the function that closes it. */
async function listen(dir: string, name: string): Promise<() => Promise<void>> {
  const server = net.createServer((socket) => socket.destroy());
  server.unref();
  await withShortName(dir, (shortDir) => {
    return new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path.join(shortDir, name), resolve);
    });
  });
  return async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(path.join(dir, name), { force: true });
  };
}

/**
 * A connection succeeds even if the holder is too busy to answer. Other errors count as listening, to be
 * safe.
 */
function isListening(dir: string, name: string): Promise<boolean> {
  return withShortName(dir, (shortDir) => {
    return new Promise<boolean>((resolve) => {
      const socket = net.connect(path.join(shortDir, name));
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", (error) => {
        resolve(!["ECONNREFUSED", "ENOENT"].includes(errorCode(error) ?? ""));
      });
    });
  });
}

/** A socket's path must stay below 104 bytes, so a deep directory gets a short link while `use` runs. */
async function withShortName<T>(dir: string, use: (shortDir: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(dir) <= 60) return use(dir);
  const place = makeShortPlace();
  const link = path.join(place, "d");
  try {
    symlinkSync(dir, link);
    return await use(link);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function makeShortPlace(): string {
  let failure: unknown;
  for (const parent of new Set([shortTemporaryDirectory(), "/tmp"])) {
    try {
      return mkdtempSync(path.join(parent, "parley-lock-"));
    } catch (error) {
      failure ??= error;
    }
  }
  throw noShortPlace(failure);
}
