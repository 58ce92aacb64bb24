import { lstatSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findClosed } from "../../server/platform/postgres/identity.ts";
import { type Account, listAccounts } from "../../server/platform/postgres/passwd.ts";
import { CommandError } from "../command.ts";

/** Node's own types lack it. */
interface WithGroups {
  initgroups?(name: string, gid: number): void;
}

let became: string | undefined;

/** The name of the user that this process has become. undefined: it is as it was started. */
export function becameUser(): string | undefined {
  return became;
}

/** What a start makes in a data directory first. Its owner says who runs the server. */
const FIRST_MADE = ["secret", "lock", "files"];

/**
 * Becomes the user to whom a data directory belongs, if this process is root's and the directory is not. The
 * files that root would make there could not be changed by the server that the user starts later. Throws a
 * CommandError if that user can't reach the program or the directory.
 */
export function becomeOwner(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const uid = ownerOf(path.resolve(dataDir));
  const owner = listAccounts().find((account) => account.uid === uid);
  // A user without a name is one of another machine or container, whose root works for all its users.
  if (uid === 0 || !owner) return;
  const needed = [path.dirname(fileURLToPath(import.meta.url)), path.dirname(process.execPath), dataDir];
  const closed = needed.map((place) => findClosed(owner, path.resolve(place))).find(Boolean);
  if (closed !== undefined) {
    throw new CommandError(
      "data-denied",
      `${dataDir} belongs to user ${owner.name}, as whom Parley has to run there, but that user can't enter ${closed}. Let the user enter it, or give the data to root: chown -R root ${dataDir}`,
    );
  }
  become(owner, dataDir);
}

/** undefined: there is no such directory, and who makes it or opens it says why if that can't be done. */
function ownerOf(dataDir: string): number | undefined {
  if (!statOf(dataDir)?.isDirectory()) return undefined;
  // Where a link leads says nothing: the directory's owner could lead to a file of root's, and so stay root.
  const made = FIRST_MADE.map((name) => statOf(path.join(dataDir, name), lstatSync));
  return (made.find((stat) => stat && !stat.isSymbolicLink()) ?? statOf(dataDir))?.uid;
}

function statOf(place: string, stat: (place: string) => Stats = statSync): Stats | undefined {
  try {
    return stat(place);
  } catch {
    return undefined;
  }
}

function become({ name, uid, gid }: Account, dataDir: string): void {
  try {
    (process as WithGroups).initgroups?.(name, gid);
    process.setgid?.(gid);
    process.setuid?.(uid);
    became = name;
  } catch (error) {
    throw new CommandError(
      "data-denied",
      `${dataDir} belongs to user ${name}, and this root may not become another user. Run the command as that user.`,
      { cause: error },
    );
  }
}
