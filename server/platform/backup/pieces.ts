/**
 * What a backup has of a file: pieces, each under the SHA-256 of its content, compressed. In an encrypted
 * target the name depends on the key too. A piece that is
 * there already is not written again, so a backup writes what has changed since the one before. Programs
 * that copy the target to elsewhere (restic, borg, rsync) see plain small files that never change.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { BackupError, type BackupTarget } from "./target.ts";

/** Small enough that a changed page of the database costs little, and large enough that files stay few. */
const PIECE_BYTES = 256 * 1024;
/** How many are compressed and written at once. */
const AT_ONCE = 4;
const FASTEST = 1;
export const PIECES_FOLDER = "pieces";

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** What a run has written. */
export interface Written {
  pieces: number;
  bytes: number;
}

export class PieceWriter {
  readonly written: Written = { pieces: 0, bytes: 0 };
  readonly #target: BackupTarget;
  readonly #seen = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #error: unknown;

  constructor(target: BackupTarget) {
    this.#target = target;
  }

  /**
   * Resolves with the names of the content's pieces, in order. They are stored once `finish` resolves.
   */
  async add(content: AsyncIterable<Buffer>): Promise<string[]> {
    const names: string[] = [];
    for await (const piece of cut(content)) names.push(await this.#addPiece(piece));
    return names;
  }

  /** Whether all these pieces are in the target, or being written there. */
  async has(names: readonly string[]): Promise<boolean> {
    for (const name of names) {
      if (!this.#seen.has(name) && !(await this.#target.has(placeOf(name)))) return false;
      this.#seen.add(name);
    }
    return true;
  }

  /** Throws if a piece could not be written. */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    this.#throwIfFailed();
  }

  async #addPiece(piece: Buffer): Promise<string> {
    const name = nameOf(this.#target, piece);
    if (await this.has([name])) return name;
    this.#seen.add(name);
    while (this.#running.size >= AT_ONCE) await Promise.race(this.#running);
    this.#throwIfFailed();
    const work = this.#write(name, piece)
      .catch((error) => {
        this.#error ??= error;
      })
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
    return name;
  }

  async #write(name: string, piece: Buffer): Promise<void> {
    const bytes = await compress(piece, { level: FASTEST });
    await this.#target.write(placeOf(name), bytes);
    this.written.pieces++;
    this.written.bytes += bytes.length;
  }

  #throwIfFailed(): void {
    if (this.#error !== undefined) throw this.#error;
  }
}

/** The content of a file. Throws a BackupError if a piece is missing or is not what it was. */
export async function* readPieces(target: BackupTarget, names: readonly string[]): AsyncGenerator<Buffer> {
  for (const name of names) yield await readPiece(target, name);
}

async function readPiece(target: BackupTarget, name: string): Promise<Buffer> {
  const place = placeOf(name);
  const bytes = await target.read(place);
  if (!bytes)
    throw new BackupError(
      "backup-damaged",
      `${target.name} lacks ${place}, so the backup can't be restored.`,
    );
  const piece = await decompress(bytes).catch(() => undefined);
  if (piece && nameOf(target, piece) === name) return piece;
  throw new BackupError(
    "backup-damaged",
    `${place} in ${target.name} is damaged, so the backup can't be restored.`,
  );
}

/** The names that the content's pieces have in the target, or would have. */
export async function pieceNames(target: BackupTarget, content: AsyncIterable<Buffer>): Promise<string[]> {
  const names: string[] = [];
  for await (const piece of cut(content)) names.push(nameOf(target, piece));
  return names;
}

/** The names of all pieces in the target, used or not. */
export async function* listPieces(target: BackupTarget): AsyncGenerator<string> {
  for await (const place of target.list(PIECES_FOLDER)) {
    const [, name] = /\/([0-9a-f]{64})\.gz$/.exec(place) ?? [];
    if (name !== undefined) yield name;
  }
}

export async function deletePiece(target: BackupTarget, name: string): Promise<void> {
  await target.delete(placeOf(name));
}

function placeOf(name: string): string {
  return `${PIECES_FOLDER}/${name.slice(0, 2)}/${name}.gz`;
}

function nameOf({ seal }: BackupTarget, piece: Buffer): string {
  return seal ? seal.nameOf(piece) : createHash("sha256").update(piece).digest("hex");
}

async function* cut(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (let chunk of content) {
    while (length + chunk.length >= PIECE_BYTES) {
      const end = PIECE_BYTES - length;
      yield Buffer.concat([...parts, chunk.subarray(0, end)]);
      chunk = chunk.subarray(end);
      parts = [];
      length = 0;
    }
    if (chunk.length > 0) parts.push(chunk);
    length += chunk.length;
  }
  if (length > 0) yield Buffer.concat(parts);
}
