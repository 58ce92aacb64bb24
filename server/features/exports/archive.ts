/**
 * A gzipped tar file that is written piece by piece. The header of a file in it comes before its bytes and
 * has their number. So records are collected to files of limited size, and no more than one is in memory.
 */
import { open, rm } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Pack, pack } from "tar-stream";

/** The folder in the archive that all files are in. */
export const ARCHIVE_FOLDER = "parley-export";
const OWNER_ONLY = 0o600;
/** A file ends with the record that makes it this long. */
const FILE_BYTES = 4 * 1024 * 1024;

export class Archive {
  readonly #path: string;
  readonly #writtenAt = new Date();
  readonly #pack: Pack = pack();
  readonly #written: Promise<void>;

  private constructor(path: string, file: Writable) {
    this.#path = path;
    this.#written = pipeline(Readable.from(this.#pack), createGzip(), file);
    // The next one who writes gets the error.
    this.#written.catch(() => {});
  }

  /** Begins a new file. Throws if there is one under this path. */
  static async create(path: string): Promise<Archive> {
    const file = await open(path, "wx", OWNER_ONLY);
    return new Archive(path, file.createWriteStream());
  }

  /** Resolves when there is room for the next file. */
  async add(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const header = {
      name: `${ARCHIVE_FOLDER}/${name}`,
      size: bytes.length,
      mode: 0o644,
      mtime: this.#writtenAt,
    };
    const added = new Promise<void>((resolve, reject) => {
      const entry = this.#pack.entry(header, (error) => (error ? reject(error) : resolve()));
      entry.end(bytes);
    });
    added.catch(() => {});
    await Promise.race([added, this.#failure()]);
  }

  /** Resolves when everything is in the file. */
  async finish(): Promise<void> {
    this.#pack.finalize();
    await this.#written;
  }

  /** Gives up: deletes the file. */
  async discard(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => {});
    await rm(this.#path, { force: true });
  }

  async #failure(): Promise<never> {
    await this.#written;
    throw new Error("the archive is closed");
  }
}

/** Records of one kind, each a line of JSON, in files `KIND/000001.jsonl` and so on. */
export class RecordFiles {
  readonly #archive: Archive;
  readonly #kind: string;
  #lines: string[] = [];
  #length = 0;
  #files = 0;
  count = 0;

  constructor(archive: Archive, kind: string) {
    this.#archive = archive;
    this.#kind = kind;
  }

  async add(record: object): Promise<void> {
    const line = `${JSON.stringify(record)}\n`;
    this.#lines.push(line);
    this.#length += line.length;
    this.count++;
    if (this.#length >= FILE_BYTES) await this.end();
  }

  /** Writes what was collected. */
  async end(): Promise<void> {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join("");
    this.#lines = [];
    this.#length = 0;
    this.#files++;
    await this.#archive.add(`${this.#kind}/${String(this.#files).padStart(6, "0")}.jsonl`, text);
  }
}
