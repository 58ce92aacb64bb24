// One server per data directory. Node has no flock, and a file with a process id goes wrong with reused ids,
// zombies and containers, so the lock is a listening socket: the kernel closes it however its holder ends, and
// who can connect knows that the holder lives, even from another container on the same directory.
//
// LOCK: `lock/<n>` is a symbolic link to such a socket, and the highest number counts. Whoever finds that one
// dead makes the next (making a link is atomic and fails when the name exists) and then looks again: the lock is
// held when one's own number is still the highest. The highest link is never removed, only lower ones by a
// holder, so a process that was slow between looking and making always sees that it came too late.

import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { shortTemporaryDirectory } from "./runtime-directory.ts";
import { errorCode, StartError } from "./start-error.ts";

export interface DataDirectoryLock {
  /** Gives the lock back. It goes with the process in any case. */
  release(): Promise<void>;
}

/** Takes the data directory (a real path) for this process, or throws the sentence that says who has it. */
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

/** The id of the process that holds the data directory, as it knows itself; undefined when nobody does. */
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
      // A contender that came too late takes its own away at the same time.
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }
}

/** Resolves with what closes the socket again. */
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

/** A holder too busy to answer is still connected to; every doubt counts as alive. */
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

/** A socket's path must stay below 104 bytes: a deep directory gets a short name for as long as it is needed. */
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
