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
import { shortTemporaryDirectory } from "./runtime-directory.ts";
import { errorCode, StartError } from "./start-error.ts";

export interface DataDirectoryLock {
  /** Releases the lock. The end of the process releases it in any case. */
  release(): Promise<void>;
}

/**
 * Locks the data directory (a real path) for this process. Throws a StartError that names the holder if there
 * is one.
 */
export async function lockDataDirectory(dataDir: string): Promise<DataDirectoryLock> {
  const dir = path.join(dataDir, "lock");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (;;) {
    const highest = findHighest(dir);
    const holder = await findHolder(dir, highest);
    if (holder !== undefined) {
      throw new StartError(
        `Another Parley server (process ${holder}) is already using the data directory ${dataDir}. Stop it, or choose another directory with PARLEY_DATA_DIR.`,
      );
    }
    const name = `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
    const release = await listen(dir, name);
    if (!claim(dir, highest + 1, name) || findHighest(dir) !== highest + 1) {
      await release();
      continue;
    }
    removeLower(dir, highest + 1);
    return { release };
  }
}

/** The id of the process that holds the lock, as that process itself sees it; undefined if none does. */
export function findLockHolder(dataDir: string): Promise<number | undefined> {
  const dir = path.join(dataDir, "lock");
  return findHolder(dir, findHighest(dir));
}

async function findHolder(dir: string, number: number): Promise<number | undefined> {
  if (number === 0 || !(await isListening(dir, String(number)))) return undefined;
  try {
    return Number.parseInt(readlinkSync(path.join(dir, String(number))), 10);
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
  const place = mkdtempSync(path.join(shortTemporaryDirectory(), "parley-lock-"));
  const link = path.join(place, "d");
  try {
    symlinkSync(dir, link);
    return await use(link);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
