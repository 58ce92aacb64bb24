/**
 * The names in a target, and what they hold. `parley-backup.json` says whose backups these are. Each
 * backup is `backups/ID.json`, which is written last: without it there is no backup. Its long lists are
 * pieces, too.
 */
import { readPieces } from "./pieces.ts";
import type { Encryption } from "./seal.ts";
import { BackupError, type BackupTarget, OWNER } from "./target.ts";

const FORMAT = 1;
export const BACKUPS_FOLDER = "backups";

/** One backup: everything at one moment. */
export interface Manifest {
  format: number;
  /** When it was begun, as in 20261128T083000Z. */
  id: string;
  /**
   * The moment that it shows: all that was acknowledged before `startedAt` is in it, nothing after
   * `finishedAt`.
   */
  startedAt: string;
  finishedAt: string;
  /** The number of the cluster, which its copies and restored backups keep. */
  installation: string;
  parley: string;
  /** The number of the newest migration. */
  schema: number;
  /** The major version of PostgreSQL, which alone can read the files. */
  postgres: number;
  timeline: number;
  startLocation: string;
  endLocation: string;
  /** The stream of the archived log that goes on from here; undefined: the log was not archived. */
  log?: string;
  secret: StoredSecret;
  /** The last position of each organization's log when the backup began. */
  heads: Record<string, number>;
  /** The id in the place of the files; undefined: the backup is of an older release. */
  filesMark?: string;
  database: StoredList;
  files: StoredList;
}

export type StoredSecret =
  | { kind: "included"; value: string }
  | { kind: "left out" }
  /** Development mode has a constant. */
  | { kind: "development" };

/** A list of files: JSON lines in pieces. */
export interface StoredList {
  count: number;
  bytes: number;
  pieces: string[];
}

/** A file or a directory of the cluster. */
export interface DatabaseFile {
  name: string;
  mode: number;
  size: number;
  /** undefined: it is a directory. */
  pieces?: string[];
}

/** A file that people have uploaded, or one made of it, under its key in the storage. */
export interface KeptFile {
  key: string;
  size: number;
  pieces: string[];
}

interface Owner {
  format: number;
  installation: string;
  encryption?: Encryption;
}

/** Makes an empty target that of this installation. Throws a BackupError if it is another's, or not empty. */
export async function claimTarget(target: BackupTarget, installation: string): Promise<void> {
  const owner = await findOwner(target);
  if (owner?.installation === installation) return;
  if (owner) {
    throw new BackupError(
      "backup-place",
      `${target.name} has the backups of another installation. Name a target of its own for this one.`,
    );
  }
  for await (const name of target.list("")) {
    throw new BackupError(
      "backup-place",
      `${target.name} is not empty: it has ${name}, and no backups. Name an empty directory or a new one.`,
    );
  }
  const encryption = await target.seal?.create(installation);
  const text = JSON.stringify({ format: FORMAT, installation, encryption }, undefined, 2);
  await target.write(OWNER, Buffer.from(`${text}\n`));
}

/** Throws a BackupError if the key is missing, another, or one too many. */
async function findOwner(target: BackupTarget): Promise<Owner | undefined> {
  const bytes = await target.read(OWNER);
  if (!bytes) return undefined;
  const owner = parse(target, OWNER, bytes) as Owner;
  if (owner.encryption && !target.seal)
    throw new BackupError(
      "backup-key",
      `The backups in ${target.name} are encrypted. Set PARLEY_BACKUP_KEY to their key, which has the id ${owner.encryption.keyId}.`,
    );
  // A stranger who can write to the target could else put backups of their own there.
  if (!owner.encryption && target.seal)
    throw new BackupError(
      "backup-key",
      `The backups in ${target.name} are not encrypted, but PARLEY_BACKUP_KEY is set. Unset it to use them, or name an empty target for encrypted ones.`,
    );
  if (owner.encryption) await target.seal?.unlock(owner.encryption, target.name);
  return owner;
}

/** Throws a BackupError if there are no backups. The newest is the last. */
export async function listBackups(target: BackupTarget): Promise<Manifest[]> {
  if (!(await findOwner(target)))
    throw new BackupError(
      "backup-missing",
      `There are no backups of Parley in ${target.name}. Name the place that PARLEY_BACKUP has, or look whether its disk is mounted.`,
    );
  const names: string[] = [];
  for await (const name of target.list(BACKUPS_FOLDER)) if (name.endsWith(".json")) names.push(name);
  const found = [];
  for (const name of names.sort()) {
    const bytes = await target.read(name);
    // It may have been deleted since.
    if (bytes) found.push(parse(target, name, bytes) as Manifest);
  }
  return found;
}

/** The newest backup in a target. undefined: there is none, or no target yet. */
export async function findNewest(target: BackupTarget): Promise<Manifest | undefined> {
  return (await findOwner(target)) ? (await listBackups(target)).at(-1) : undefined;
}

/** The backup of this id, or the newest. Throws a BackupError if there is none. */
export async function findBackup(target: BackupTarget, id?: string): Promise<Manifest> {
  const backups = await listBackups(target);
  const found = id === undefined ? backups.at(-1) : backups.find((backup) => backup.id === id);
  if (found) return found;
  throw new BackupError(
    "backup-missing",
    id === undefined
      ? `No backup in ${target.name} was ever finished.`
      : `There is no backup ${id} in ${target.name}. parley backup list ${target.name} shows those that are there.`,
  );
}

/** The newest backup that shows this moment or an earlier one. Throws a BackupError if there is none. */
export async function findBackupBefore(target: BackupTarget, at: Date): Promise<Manifest> {
  const found = (await listBackups(target)).filter(({ finishedAt }) => new Date(finishedAt) <= at).at(-1);
  if (found) return found;
  throw new BackupError(
    "backup-missing",
    `There is no backup in ${target.name} from before ${at.toISOString()}.`,
  );
}

/** With this the backup is there. */
export async function writeManifest(target: BackupTarget, manifest: Omit<Manifest, "format">): Promise<void> {
  const text = JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2);
  await target.write(placeOf(manifest.id), Buffer.from(`${text}\n`));
}

export async function deleteManifest(target: BackupTarget, id: string): Promise<void> {
  await target.delete(placeOf(id));
}

/** An id that no backup in the target has. */
export async function newId(target: BackupTarget, at: Date): Promise<string> {
  const time = `${at.toISOString().replace(/[-:]|\.\d+/g, "")}`;
  let id = time;
  for (let number = 2; await target.has(placeOf(id)); number++) id = `${time}-${number}`;
  return id;
}

/** The entries of a list as they were written, one after the other. */
export async function* readList<T>(target: BackupTarget, { pieces }: StoredList): AsyncGenerator<T> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of readPieces(target, pieces)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() as string;
    for (const line of lines) yield JSON.parse(line) as T;
  }
}

function placeOf(id: string): string {
  return `${BACKUPS_FOLDER}/${id}.json`;
}

function parse(target: BackupTarget, name: string, bytes: Buffer): { format: number } {
  let value: { format?: unknown };
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new BackupError("backup-damaged", `${name} in ${target.name} is damaged.`);
  }
  if (typeof value.format !== "number")
    throw new BackupError("backup-damaged", `${name} in ${target.name} is damaged.`);
  if (value.format > FORMAT)
    throw new BackupError(
      "backup-newer",
      `${target.name} was written by a newer Parley. Use that version to read it.`,
    );
  return value as { format: number };
}
