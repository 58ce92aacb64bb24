import { chmodSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./launcher.ts";
import { findLockHolder } from "./lock.ts";
import { makeRuntimeDirectory, openSocketDirectory, removeRuntimeDirectory } from "./runtime-directory.ts";

const PREFIX = "parley-throw-away-";
const LEFT_BEHIND_MS = 10 * 60_000;

const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "200",
};

/**
 * A fast PostgreSQL on a temporary directory, for tests and tools. It is not durable, and stopping it removes
 * its files. `superuser` may create and drop databases.
 */
export async function startThrowAwayPostgres(): Promise<
  EmbeddedPostgres & { superuser: EmbeddedPostgres["connection"] }
> {
  await removeLeftBehind();
  const dataDir = makeTemporaryDirectory(PREFIX);
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, settings });
    return {
      ...postgres,
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
export function makeTemporaryDirectory(prefix: string): string {
  const dir = mkdtempSync(path.join(realpathSync(os.tmpdir()), prefix));
  if (process.getuid?.() === 0) chmodSync(dir, 0o711);
  return dir;
}

/** Removes the directories that killed runs have left. */
async function removeLeftBehind(): Promise<void> {
  const parent = realpathSync(os.tmpdir());
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
