// The user who runs PostgreSQL, which refuses root and users without a name. Root runs it as another user,
// who then owns the cluster directory. The directory stays in its place even if that user can't reach it, as
// in a checkout below root's home directory (mode 700). Then PostgreSQL gets a capability, or runs in a user
// namespace.

import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Binaries } from "./binaries.ts";
import { type Account, hasOwnAccount, listAccounts } from "./passwd.ts";
import { StartError } from "./start-error.ts";

export interface Identity {
  /** The owner that the cluster's files must have, as seen by this process; undefined for its own user. */
  owner: { uid: number; gid: number } | undefined;
  /** Options for `spawn`. */
  spawn: { uid?: number; gid?: number };
  /** A program, with its arguments, that takes on the identity and then executes the command after it. */
  prefix: string[];
  /** Who makes a new cluster, which then gets its owner. By default, the identity itself. */
  maker?: Identity;
}

export const ourselves: Identity = { owner: undefined, spawn: {}, prefix: [] };

/**
 * Chooses the user who runs PostgreSQL: our own, unless we are root or have no name. PostgreSQL must be able
 * to reach the `directories`. Each candidate is tried out, since capabilities, namespaces and access lists
 * decide.
 */
export async function chooseIdentity(
  binaries: Binaries,
  clusterDir: string,
  directories: string[],
): Promise<Identity> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasOwnAccount()) return ourselves;
  const choice = chooseAccount(listAccounts(), {
    cluster: statSync(clusterDir, { throwIfNoEntry: false })?.uid,
    parent: statSync(path.dirname(clusterDir), { throwIfNoEntry: false })?.uid,
  });
  // In a namespace of our own user, an id is only how our own looks from inside, and a name does no harm.
  const { account, maker } = isRoot ? choice : { account: choice.maker ?? choice.account, maker: undefined };
  const identify = isRoot ? [plain, withCapability, inNamespace] : [inNamespace];
  const candidates = identify.map((as) => ({ ...as(account), ...(maker && { maker: as(maker) }) }));
  for (const candidate of candidates) {
    if (await canRun(candidate, binaries, directories)) return candidate;
  }
  if (!isRoot) {
    throw new StartError(
      "postgres-user",
      `User id ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs. Run Parley as a named user, or set DATABASE_URL.`,
    );
  }
  throw new StartError("postgres-user", explainObstacle(account, [binaries.postgres, ...directories]));
}

/** An id that no user of a machine has, as a rule: those are given upwards from 1000, or from 60000 on. */
const DEDICATED_ID = 59_991;

/** initdb asks for the name of its user, so a user without a name can run a cluster and can't make one. */
interface Choice {
  account: Account;
  maker?: Account;
}

/**
 * The owner of a cluster stays its owner. A new cluster gets the user postgres of this machine. Without that
 * user it gets an id of its own, since a process with the id is superuser of the database. The user nobody is
 * shared by many programs, so it only makes the files. A cluster that an older start gave it is taken from
 * it, unless it has the whole data directory.
 */
export function chooseAccount(
  all: readonly Account[],
  owners: { cluster: number | undefined; parent: number | undefined },
): Choice {
  const accounts = all.filter((account) => account.uid !== 0);
  const owner = accounts.find((account) => account.uid === owners.cluster);
  const isOwn = owner?.name !== "nobody" || owners.parent === owner.uid;
  if (owner && isOwn) return { account: owner };
  const postgres = accounts.find((account) => account.name === "postgres");
  if (postgres) return { account: postgres };
  const maker = accounts.find((account) => account.name === "nobody");
  if (!maker) {
    throw new StartError(
      "postgres-user",
      "PostgreSQL refuses to run as root, and this machine has neither a user postgres nor a user nobody. Run Parley as another user, or create a user postgres.",
    );
  }
  const taken = new Set(accounts.flatMap(({ uid, gid }) => [uid, gid]));
  let id = DEDICATED_ID;
  while (taken.has(id)) id--;
  return { account: { name: `${id}`, uid: id, gid: id }, maker };
}

function plain({ uid, gid }: Account): Identity {
  return { owner: { uid, gid }, spawn: { uid, gid }, prefix: [] };
}

/** Another user who keeps one ability of root: to pass through all directories and read all files. */
function withCapability({ uid, gid }: Account): Identity {
  const capability = "-all,+dac_read_search";
  const prefix = ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  // Without this bit, the change of user clears the capabilities that must be kept.
  prefix.push("--securebits=+no_setuid_fixup", `--inh-caps=${capability}`, `--ambient-caps=${capability}`);
  return { owner: { uid, gid }, spawn: {}, prefix };
}

/** Our own user in a namespace that shows another id: files keep their owner, and the id has an account. */
function inNamespace({ uid, gid }: Account): Identity {
  return {
    owner: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    spawn: {},
    prefix: ["unshare", "--user", `--map-user=${uid}`, `--map-group=${gid}`],
  };
}

/** Whether the binaries load and the directories are reachable under this identity. */
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
    try {
      const child = spawn(file ?? "", rest, {
        ...identity.spawn,
        cwd: "/",
        env: { PATH: process.env.PATH ?? "/usr/bin:/bin", ...binaries.env },
        stdio: "ignore",
      });
      child.once("error", () => resolve(false));
      child.once("exit", (code) => resolve(code === 0));
    } catch {
      // Thrown at once where this process may not become that user.
      resolve(false);
    }
  });
}

function explainObstacle(account: Account, files: string[]): string {
  if (!mayChangeUser()) {
    return "PostgreSQL refuses to run as root, and this root may not become another user (it lacks CAP_SETUID and CAP_SETGID). Run Parley as another user, as with `user: 1000` of a container.";
  }
  const closed = files.map((file) => findClosed(account, file)).find((file) => file !== undefined);
  const reason = closed
    ? `user ${account.name}, as whom it would run, can't enter ${closed}`
    : `it can't be started as user ${account.name} either`;
  return `PostgreSQL refuses to run as root, and ${reason}. Run Parley as another user, or move it to a directory that user ${account.name} can enter.`;
}

/** False for root in a container that drops all capabilities. True where nobody can tell. */
function mayChangeUser(): boolean {
  try {
    const [, effective = ""] =
      /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    const needed = (1n << CAP_SETUID) | (1n << CAP_SETGID);
    return effective === "" || (BigInt(`0x${effective}`) & needed) === needed;
  } catch {
    return true;
  }
}

const CAP_SETGID = 6n;
const CAP_SETUID = 7n;

/** The first directory above `file` whose mode does not let the account pass. */
export function findClosed(account: Account, file: string): string | undefined {
  const parents: string[] = [];
  for (let dir = path.dirname(file); dir !== path.dirname(dir); dir = path.dirname(dir)) parents.unshift(dir);
  return [...parents, file].find((dir) => {
    const stat = statSync(dir, { throwIfNoEntry: false });
    if (!stat) return false;
    const bit = stat.uid === account.uid ? 0o100 : stat.gid === account.gid ? 0o010 : 0o001;
    return (stat.mode & bit) === 0;
  });
}
