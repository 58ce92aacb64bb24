// As whom PostgreSQL runs. It refuses root and users without a name. As root we give it another user, who then
// owns the cluster directory; the directory stays where it was named, and where that user cannot get to it (a
// checkout below root's home directory, mode 700) we help with a capability, or with a user namespace.

import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import type { Binaries } from "./binaries.ts";
import { type Account, hasOwnAccount, listAccounts } from "./passwd.ts";
import { StartError } from "./start-error.ts";

export interface Identity {
  /** Who must own the cluster's files, as our process sees them; undefined for ourselves. */
  owner: { uid: number; gid: number } | undefined;
  /** What `spawn` is told. */
  spawn: { uid?: number; gid?: number };
  /** A program, with its arguments, that changes to the identity and becomes the command after it. */
  prefix: string[];
}

export const ourselves: Identity = { owner: undefined, spawn: {}, prefix: [] };

/**
 * Chooses who runs PostgreSQL: ourselves, unless we are root or have no name. `directories` are those that it
 * must get to. Each way is tried, not guessed at: capabilities, namespaces and access lists decide.
 */
export async function chooseIdentity(
  binaries: Binaries,
  clusterDir: string,
  directories: string[],
): Promise<Identity> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasOwnAccount()) return ourselves;
  const account = chooseAccount(clusterDir);
  const ways = isRoot
    ? [plain(account), withCapability(account), inNamespace(account)]
    : [inNamespace(account)];
  for (const way of ways) {
    if (await canRun(way, binaries, directories)) return way;
  }
  if (!isRoot) {
    throw new StartError(
      `User id ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs: run Parley as a named user, or set DATABASE_URL.`,
    );
  }
  throw new StartError(explainObstacle(account, [binaries.postgres, ...directories]));
}

/** The owner of a cluster stays its owner; a new one gets the user of the machine's PostgreSQL, or nobody. */
function chooseAccount(clusterDir: string): Account {
  const accounts = listAccounts().filter((account) => account.uid !== 0);
  const owner = statSync(clusterDir, { throwIfNoEntry: false })?.uid;
  const chosen =
    accounts.find((account) => account.uid === owner) ??
    accounts.find((account) => account.name === "postgres") ??
    accounts.find((account) => account.name === "nobody");
  if (chosen) return chosen;
  throw new StartError(
    "PostgreSQL refuses to run as root, and this machine has neither a user postgres nor a user nobody: run Parley as another user.",
  );
}

function plain({ uid, gid }: Account): Identity {
  return { owner: { uid, gid }, spawn: { uid, gid }, prefix: [] };
}

/** Root's ability to pass any directory and read any file, kept over the change of user and nothing else. */
function withCapability({ uid, gid }: Account): Identity {
  const capability = "-all,+dac_read_search";
  const prefix = ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  // Without this bit the change of user clears the capabilities that are to be handed on.
  prefix.push("--securebits=+no_setuid_fixup", `--inh-caps=${capability}`, `--ambient-caps=${capability}`);
  return { owner: { uid, gid }, spawn: {}, prefix };
}

/** Our own user under another name: files keep their owner, and PostgreSQL sees an id that has an account. */
function inNamespace({ uid, gid }: Account): Identity {
  return {
    owner: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    spawn: {},
    prefix: ["unshare", "--user", `--map-user=${uid}`, `--map-group=${gid}`],
  };
}

/** Whether the binaries load and the directories open under this identity. */
function canRun(identity: Identity, binaries: Binaries, directories: string[]): Promise<boolean> {
  const script = 'program=$1; shift; for dir; do cd "$dir" || exit 1; done; exec "$program" --version';
  const [file, ...rest] = [
    ...identity.prefix,
    "/bin/sh",
    "-c",
    script,
    "sh",
    binaries.postgres,
    ...directories,
  ];
  return new Promise((resolve) => {
    const child = spawn(file ?? "", rest, {
      ...identity.spawn,
      cwd: "/",
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin", ...binaries.env },
      stdio: "ignore",
    });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

function explainObstacle(account: Account, files: string[]): string {
  const closed = files.map((file) => findClosed(account, file)).find((file) => file !== undefined);
  const reason = closed
    ? `user ${account.name}, as whom it would run, cannot get past ${closed}`
    : `it cannot be started as user ${account.name} either`;
  return `PostgreSQL refuses to run as root, and ${reason}: run Parley as another user, or move it to where that user may go.`;
}

/** The first directory above `file` that the account may not pass, going by its mode alone. */
function findClosed(account: Account, file: string): string | undefined {
  const parents: string[] = [];
  for (let dir = path.dirname(file); dir !== path.dirname(dir); dir = path.dirname(dir)) parents.unshift(dir);
  return [...parents, file].find((dir) => {
    const stat = statSync(dir, { throwIfNoEntry: false });
    if (!stat) return false;
    const bit = stat.uid === account.uid ? 0o100 : stat.gid === account.gid ? 0o010 : 0o001;
    return (stat.mode & bit) === 0;
  });
}
