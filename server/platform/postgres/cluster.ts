import { lchownSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import type { Binaries } from "./binaries.ts";
import { makeDirectory } from "./data-directory.ts";
import type { Identity } from "./identity.ts";
import { errorCode, StartError } from "./start-error.ts";
import { superviseCommand } from "./supervise.ts";

/** The superuser of the cluster. The server itself connects as a user without such rights. */
export const SUPERUSER = "postgres";

/**
 * Makes the cluster where there is none, and otherwise checks that these binaries can serve it and that it
 * belongs to the user who will run it. A cluster is made beside its place and renamed into it: one that was
 * interrupted is never taken for whole.
 */
export async function ensureCluster(
  clusterDir: string,
  binaries: Binaries,
  identity: Identity,
  isThrowAway: boolean,
): Promise<void> {
  removeUnfinished(clusterDir);
  if (isAbsentOrEmpty(clusterDir)) {
    await makeCluster(clusterDir, binaries, identity, isThrowAway);
  } else {
    checkVersion(clusterDir, binaries.major);
    giveTo(clusterDir, identity);
  }
}

async function makeCluster(
  clusterDir: string,
  binaries: Binaries,
  identity: Identity,
  isThrowAway: boolean,
): Promise<void> {
  const unfinished = `${clusterDir}.new-${process.pid}-${Date.now().toString(36)}`;
  makeDirectory(unfinished, 0o700);
  if (identity.owner) lchownSync(unfinished, identity.owner.uid, identity.owner.gid);
  // The operating system's C.UTF-8 only says which characters are letters, which trigrams and text search ask;
  // order and case are PostgreSQL's own, so that no upgrade of a system library can damage an index.
  const failure =
    (await initdb(unfinished, binaries, identity, isThrowAway, "C.UTF-8")) &&
    (await initdb(unfinished, binaries, identity, isThrowAway, "en_US.UTF-8"));
  if (failure) {
    removeTree(unfinished);
    throw new StartError(`PostgreSQL could not make its files in ${path.dirname(clusterDir)}: ${failure}`);
  }
  renameSync(unfinished, clusterDir);
  if (!isThrowAway) await syncDirectory(path.dirname(clusterDir));
}

/** Resolves with what went wrong, or undefined. */
async function initdb(
  dir: string,
  binaries: Binaries,
  identity: Identity,
  isThrowAway: boolean,
  characters: string,
): Promise<string | undefined> {
  const args = ["-D", dir, "-U", SUPERUSER, "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8"];
  args.push(
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    `--lc-ctype=${characters}`,
  );
  if (isThrowAway) args.push("--no-sync");
  const run = superviseCommand(identity, [binaries.initdb, ...args], binaries.env);
  const { code, signal } = await run.end;
  if (code === 0) return undefined;
  return run.lastLines().slice(-4).join("; ") || `initdb ended with ${signal ?? `code ${code}`}`;
}

function removeUnfinished(clusterDir: string): void {
  const parent = path.dirname(clusterDir);
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${path.basename(clusterDir)}.new-`)) continue;
    removeTree(path.join(parent, name));
  }
}

/** An initialization whose server was killed may still be writing there for a moment: the next start goes on. */
function removeTree(dir: string): void {
  try {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
  } catch (error) {
    if (errorCode(error) !== "ENOTEMPTY") throw error;
  }
}

function isAbsentOrEmpty(clusterDir: string): boolean {
  try {
    return readdirSync(clusterDir).length === 0;
  } catch (error) {
    switch (errorCode(error)) {
      case "ENOENT":
        return true;
      case "ENOTDIR":
        throw new StartError(`${clusterDir} should be the database's directory, and is a file.`);
      case "EACCES":
        throw new StartError(
          `The database in ${clusterDir} belongs to user id ${statSync(clusterDir).uid}: start Parley as that user, or as root.`,
        );
      default:
        throw error;
    }
  }
}

function checkVersion(clusterDir: string, major: number): void {
  let found: string;
  try {
    found = readFileSync(path.join(clusterDir, "PG_VERSION"), "utf8").trim();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    throw new StartError(`The directory ${clusterDir} holds something that is not a PostgreSQL database.`);
  }
  if (found !== String(major)) {
    throw new StartError(
      `The database in ${clusterDir} was made by PostgreSQL ${found}, and this Parley brings PostgreSQL ${major}: restore a backup into a new data directory.`,
    );
  }
}

/** Makes the cluster the user's who runs it: after a copy made by root, or once another user fits better. */
function giveTo(clusterDir: string, { owner }: Identity): void {
  const files = [
    clusterDir,
    path.join(clusterDir, "PG_VERSION"),
    path.join(clusterDir, "global", "pg_control"),
  ];
  const uid = owner?.uid ?? process.getuid?.();
  if (files.every((file) => (statSync(file, { throwIfNoEntry: false })?.uid ?? uid) === uid)) return;
  if (!owner) {
    throw new StartError(
      `The database in ${clusterDir} belongs to another user than user id ${uid}: start Parley as that user, or as root.`,
    );
  }
  changeOwner(clusterDir, owner);
}

function changeOwner(file: string, owner: { uid: number; gid: number }): void {
  lchownSync(file, owner.uid, owner.gid);
  if (!lstatSync(file).isDirectory()) return;
  for (const name of readdirSync(file)) changeOwner(path.join(file, name), owner);
}

async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
