import { lchownSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import type { Binaries } from "./binaries.ts";
import { checkClusterFiles, closeCluster } from "./cluster-files.ts";
import { makeDirectory } from "./data-directory.ts";
import type { Identity } from "./identity.ts";
import { errorCode, StartError } from "./start-error.ts";
import { superviseCommand } from "./supervise.ts";

/** The superuser of the cluster. Parley itself connects as a role without superuser rights. */
export const SUPERUSER = "postgres";

/**
 * Creates the cluster if there is none. Otherwise checks that these binaries can serve it, and that it
 * belongs to the user who will run it. A new cluster is created beside its place and then renamed, so that an
 * interrupted initialization is never taken for a complete cluster.
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
    checkClusterFiles(clusterDir, binaries.major);
    giveTo(clusterDir, identity);
    closeCluster(clusterDir);
  }
}

async function makeCluster(
  clusterDir: string,
  binaries: Binaries,
  identity: Identity,
  isThrowAway: boolean,
): Promise<void> {
  const maker = identity.maker ?? identity;
  const unfinished = `${clusterDir}.new-${process.pid}-${Date.now().toString(36)}`;
  makeDirectory(unfinished, 0o700);
  if (maker.owner) lchownSync(unfinished, maker.owner.uid, maker.owner.gid);
  // From the operating system's C.UTF-8 only the classes of characters are used, by trigrams and text search.
  // Sorting and case mapping are PostgreSQL's own, so that no upgrade of a system library can damage an
  // index.
  let failure = await initdb(unfinished, binaries, maker, isThrowAway, "C.UTF-8");
  // Where the system has no such locale. Any other failure would be hidden by that of a second try.
  if (failure?.includes("locale")) {
    failure = await initdb(unfinished, binaries, maker, isThrowAway, "en_US.UTF-8");
  }
  if (failure) {
    removeTree(unfinished);
    throw new StartError(
      failure === NO_SPACE ? "disk-full" : "postgres-failed",
      `PostgreSQL could not make its files in ${path.dirname(clusterDir)}: ${failure}`,
    );
  }
  if (identity.owner && maker !== identity) changeOwner(unfinished, identity.owner);
  renameSync(unfinished, clusterDir);
  if (!isThrowAway) await syncDirectory(path.dirname(clusterDir));
}

const NO_SPACE = "no space is left on the disk. Nothing was kept of it: make room, then start again.";

/** Resolves with the reason for a failure, or undefined. */
async function initdb(
  dir: string,
  binaries: Binaries,
  identity: Identity,
  isThrowAway: boolean,
  charClasses: string,
): Promise<string | undefined> {
  const args = ["-D", dir, "-U", SUPERUSER, "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8"];
  args.push(
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    `--lc-ctype=${charClasses}`,
  );
  // Its pages are in memory for minutes, and each is checked when a database reads it first.
  if (isThrowAway) args.push("--no-sync", "--no-data-checksums");
  const run = superviseCommand(identity, [binaries.initdb, ...args], binaries.env);
  const { code, signal } = await run.end;
  if (code === 0) return undefined;
  const lines = run.lastLines();
  // What PostgreSQL says after that is about its own end.
  if (lines.some((line) => line.includes("No space left on device"))) return NO_SPACE;
  return lines.slice(-4).join("; ") || `initdb ended with ${signal ?? `code ${code}`}`;
}

function removeUnfinished(clusterDir: string): void {
  const parent = path.dirname(clusterDir);
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(`${path.basename(clusterDir)}.new-`)) continue;
    removeTree(path.join(parent, name));
  }
}

/**
 * An initialization whose server was killed may still be writing there for a moment. The next start removes
 * the rest.
 */
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
        throw new StartError(
          "data-not-a-directory",
          `${clusterDir} must be the directory of the database, but is a file. Move it, or choose another directory with PARLEY_DATA_DIR.`,
        );
      case "EACCES":
        throw new StartError(
          "data-denied",
          `The database in ${clusterDir} belongs to user id ${statSync(clusterDir).uid}. Start Parley as that user, or as root.`,
        );
      default:
        throw error;
    }
  }
}

/**
 * Gives the cluster to the user who runs it, for example after root has copied it or another user was chosen.
 */
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
      "data-denied",
      `The database in ${clusterDir} does not belong to user id ${uid}. Start Parley as its owner, or as root.`,
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
