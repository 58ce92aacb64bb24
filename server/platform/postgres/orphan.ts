// Cleans up what an earlier server left in the cluster directory. The caller holds the lock of the data
// directory, so a PostgreSQL that still serves it belongs to a Parley that has died.

import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import type { Identity } from "./identity.ts";
import { isRunning, isServerOf, waitForEnd } from "./processes.ts";
import { errorCode, StartError } from "./start-error.ts";

const steps: [NodeJS.Signals, number][] = [
  ["SIGINT", 10_000],
  ["SIGQUIT", 5_000],
  ["SIGKILL", 2_000],
];

/** Stops a PostgreSQL that has outlived its Parley, and makes a stale `postmaster.pid` harmless. */
export async function endOrphan(
  clusterDir: string,
  owner: Identity["owner"],
  log: (line: string) => void,
): Promise<void> {
  const file = path.join(clusterDir, "postmaster.pid");
  const pid = readPid(file);
  if (pid === undefined) return;
  if (isRunning(pid) && isServerOf(pid, clusterDir)) {
    log(`stopping the PostgreSQL (process ${pid}) that an earlier server left behind`);
    await stopOrphan(pid, clusterDir);
  }
  // A PostgreSQL that stops removes its file.
  if (existsSync(file)) disown(file, owner);
}

async function stopOrphan(pid: number, clusterDir: string): Promise<void> {
  for (const [signal, waitMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === "ESRCH") return;
      throw new StartError(
        "data-in-use",
        `A PostgreSQL of another user (process ${pid}) is running on ${clusterDir}. Stop it first.`,
      );
    }
    if (await waitForEnd(pid, waitMs)) return;
  }
  throw new StartError(
    "data-in-use",
    `The PostgreSQL (process ${pid}) on ${clusterDir} does not stop. End it by hand first.`,
  );
}

/**
 * Writes our own process id into the file. PostgreSQL refuses to start while a process with the id in it
 * exists, even an unrelated one or a zombie. But it treats its parent's id as stale. Removing the file would
 * work, too. But the file also holds the number of the shared memory, by which PostgreSQL finds sessions of
 * the old server that are still working.
 */
function disown(file: string, owner: Identity["owner"]): void {
  const rest = readOwnLines(file).slice(1);
  // The directory may belong to another user, who must not be able to redirect what root writes. So the file
  // is created again, and only if the name is free.
  rmSync(file, { force: true });
  const fd = openSync(file, "wx", 0o600);
  try {
    if (owner) fchownSync(fd, owner.uid, owner.gid);
    writeSync(fd, [process.pid, ...rest].join("\n"));
  } finally {
    closeSync(fd);
  }
}

/** The lines of the file, unless it is a link. */
function readOwnLines(file: string): string[] {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.nlink === 1 ? readFileSync(fd, "utf8").split("\n") : [];
  } finally {
    closeSync(fd);
  }
}

/** The process id in the file: 0 if the file is damaged, undefined if there is no file. */
function readPid(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readOwnLines(file)[0] ?? "", 10);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : 0;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
