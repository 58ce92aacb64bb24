import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./launcher.ts";
import { findLockHolder } from "./lock.ts";
import { makeRuntimeDirectory, openSocketDirectory, removeRuntimeDirectory } from "./runtime-directory.ts";

const PREFIX = "parley-throw-away-";
const LEFT_BEHIND_MS = 10 * 60_000;
const MiB = 1024 * 1024;

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm";
/** More than a run of all tests takes. */
const ROOM_BYTES = 4096 * MiB;

const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "200",
  max_wal_size: "256MB",
  // Databases live for seconds here, and its workers would visit each of them.
  autovacuum: "off",
};

/**
 * A fast PostgreSQL on a temporary directory, for tests and tools. It is not durable, and stopping it removes
 * its files. They are in memory where that has room for them: a database has some 750 files, and a disk's
 * file system takes far longer to create and remove so many. `superuser` may create and drop databases.
 */
export async function startThrowAwayPostgres(): Promise<
  EmbeddedPostgres & { superuser: EmbeddedPostgres["connection"]; dataDir: string }
> {
  await removeLeftBehind();
  const dataDir = makeTemporaryDirectory(PREFIX, throwAwayParent(roomInMemory()));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, settings });
    return {
      ...postgres,
      dataDir,
      superuser: { ...postgres.connection, user: "postgres" },
      stop: async (timeoutMs) => {
        await postgres.stop(timeoutMs);
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Creates a temporary directory and returns its real path. If we are root, PostgreSQL's user may pass through
 * it.
 */
export function makeTemporaryDirectory(prefix: string, parent = os.tmpdir()): string {
  const dir = mkdtempSync(path.join(realpathSync(parent), prefix));
  if (process.getuid?.() === 0) chmodSync(dir, 0o711);
  return dir;
}

/** Where the files are, if files in memory may have so many bytes. TMPDIR says what a person wants. */
export function throwAwayParent(roomBytes: number, environment: NodeJS.ProcessEnv = process.env): string {
  return environment.TMPDIR === undefined && roomBytes >= ROOM_BYTES ? MEMORY : os.tmpdir();
}

/** Containers often have 64 MiB there. */
function roomInMemory(): number {
  if (!existsSync(MEMORY)) return 0;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory());
}

/** Removes the directories that killed runs have left. */
async function removeLeftBehind(): Promise<void> {
  for (const parent of [os.tmpdir(), MEMORY]) {
    if (existsSync(parent)) await removeLeftBehindIn(realpathSync(parent));
  }
}

async function removeLeftBehindIn(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const dir = path.join(parent, name);
    const stat = lstatSync(dir, { throwIfNoEntry: false });
    if (!stat?.isDirectory() || stat.uid !== process.getuid?.()) continue;
    if (Date.now() - stat.mtimeMs < LEFT_BEHIND_MS || (await findLockHolder(dir))) continue;
    const runtime = makeRuntimeDirectory(dir);
    openSocketDirectory(runtime);
    removeRuntimeDirectory(runtime);
    rmSync(dir, { recursive: true, force: true });
  }
}
