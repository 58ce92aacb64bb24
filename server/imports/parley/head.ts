/** The first and the last file of an archive: what it is, and whether all of it is there. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { WHOLE_VERSION } from "../../administration/exports/write.ts";
import { ArchiveError } from "../archive/archive-error.ts";
import { readJsonLines } from "../archive/json-lines.ts";
import { isRow, numberOf, type Row, textOf } from "../archive/row.ts";
import type { Archive, ArchiveFile } from "../archive/unpack.ts";

/** Beyond this no server has ids. It leaves room below 2^53, up to which numbers are exact. */
export const MAX_ID = 2 ** 46;
const MAX_HEAD_BYTES = 64 * 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;

export interface Head {
  /** The organization's id where it was. Keys and addresses of files begin with it. */
  organizationId: number;
  host: string;
  schema: number;
  /** The head of the log. */
  logHead: number;
  /** How many records there are of each kind. */
  counts: ReadonlyMap<string, number>;
}

export interface StoredFile extends ArchiveFile {
  sha256: string;
}

/** Throws an ArchiveError for what is no export of everything, or of which something is missing. */
export async function readHead(archive: Archive, schema: number): Promise<Head> {
  const format = await readObject(archive, "format.json");
  if (format.format !== "parley-export") throw new ArchiveError("This is no export of Parley.");
  if (format.export_type !== "whole") {
    throw new ArchiveError(
      "This export has only what others may see, so no organization can be made of it. Use parley export --everything.",
    );
  }
  if (format.version !== WHOLE_VERSION) {
    throw new ArchiveError("A newer version of Parley made this export. Upgrade this server first.");
  }
  if (format.schema !== schema) throw new ArchiveError(otherSchema(format, schema));
  const [organizationId, logHead] = [idOf(format, "organization_id"), positionOf(format, "last_message_id")];
  const host = textOf(format, "host");
  if (organizationId === undefined || logHead === undefined || host === undefined) {
    throw new ArchiveError("format.json of the archive is incomplete.");
  }
  if (!archive.files.has("complete.json")) {
    throw new ArchiveError("The archive has no complete.json: it was cut off, or its export failed.");
  }
  const complete = await readObject(archive, "complete.json");
  await checkSums(archive, complete);
  return { organizationId, host, schema, logHead, counts: countsOf(complete) };
}

/** Throws an ArchiveError if a file is not as it was stored. Returns the files by their keys. */
export async function readStoredFiles(
  archive: Archive,
  signal: AbortSignal | undefined,
): Promise<Map<string, StoredFile>> {
  const stored = new Map<string, StoredFile>();
  for (const name of recordFilesOf(archive, "stored_files")) {
    const { path } = archive.files.get(name) as ArchiveFile;
    for await (const { row } of readJsonLines(path, name)) {
      signal?.throwIfAborted();
      const [key, size, sha256] = [textOf(row, "name"), numberOf(row, "size"), textOf(row, "sha256")];
      const file = archive.files.get(`files/${key}`);
      if (key === undefined || sha256 === undefined || !file || file.size !== size || stored.has(key)) {
        throw new ArchiveError(`${name} does not fit the files of the archive.`);
      }
      if ((await digestOf(file)) !== sha256) throw new ArchiveError(`files/${key} is damaged.`);
      stored.set(key, { ...file, sha256 });
    }
  }
  return stored;
}

/** The files of records of a kind, in their order. */
export function recordFilesOf(archive: Archive, kind: string): string[] {
  const names: string[] = [];
  for (let number = 1; ; number++) {
    const name = `${kind}/${String(number).padStart(6, "0")}.jsonl`;
    if (!archive.files.has(name)) return names;
    names.push(name);
  }
}

/** Each file that is no stored one must have its checksum, and each checksum its file. */
async function checkSums(archive: Archive, { checksums }: Row): Promise<void> {
  if (!isRow(checksums)) throw new ArchiveError("complete.json of the archive has no checksums.");
  for (const [name, sum] of Object.entries(checksums)) {
    const file = archive.files.get(name);
    if (!file) throw new ArchiveError(`${name} is missing in the archive.`);
    if (typeof sum !== "string" || !SHA256.test(sum) || (await digestOf(file)) !== sum) {
      throw new ArchiveError(`${name} is damaged.`);
    }
  }
  for (const name of archive.files.keys()) {
    if (name.startsWith("files/") || name === "complete.json" || Object.hasOwn(checksums, name)) continue;
    throw new ArchiveError(`${name} does not belong to the archive.`);
  }
}

function countsOf({ counts }: Row): Map<string, number> {
  if (!isRow(counts)) throw new ArchiveError("complete.json of the archive has no counts.");
  return new Map(
    Object.entries(counts).filter((each): each is [string, number] => Number.isInteger(each[1])),
  );
}

function otherSchema({ schema, server_version: version }: Row, own: number): string {
  const made = typeof version === "string" ? ` It was made by version ${version.slice(0, 40)}.` : "";
  return typeof schema === "number" && schema < own
    ? `An older version of Parley made this export. Upgrade that server, and export again.${made}`
    : `A newer version of Parley made this export. Upgrade this server first.${made}`;
}

async function readObject({ files }: Archive, name: string): Promise<Row> {
  const file = files.get(name);
  if (!file || file.size > MAX_HEAD_BYTES) throw new ArchiveError(`The archive has no ${name}.`);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file.path, "utf8"));
  } catch {
    throw new ArchiveError(`${name} is no valid JSON.`);
  }
  if (!isRow(value)) throw new ArchiveError(`${name} is no object.`);
  return value;
}

function idOf(row: Row, field: string): number | undefined {
  const value = positionOf(row, field);
  return value === 0 ? undefined : value;
}

function positionOf(row: Row, field: string): number | undefined {
  const value = row[field];
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_ID
    ? (value as number)
    : undefined;
}

async function digestOf({ path }: ArchiveFile): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
