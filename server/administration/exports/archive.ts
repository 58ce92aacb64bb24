/**
 * A gzipped tar file that is written piece by piece. The header of a file in it comes before its bytes and
 * has their number. So records are collected to files of limited size, and no more than one is in memory.
 */
import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Pack } from "tar-stream";

/** The folder that all files of an export are in. */
export const ARCHIVE_FOLDER = "parley-export";
const OWNER_ONLY = 0o600;
/** A file ends with the record that makes it this long. */
const FILE_BYTES = 4 * 1024 * 1024;
/** Most kinds have few records. */
const FIRST_BYTES = 64 * 1024;
const SLICE_BYTES = 64 * 1024;

export class Archive {
  readonly #path: string;
  readonly #folder: string;
  readonly #writtenAt = new Date();
  readonly #pack: Pack;
  readonly #written: Promise<void>;
  /** The SHA-256 of each file that was added from memory, in hexadecimal. */
  readonly checksums: Record<string, string> = {};

  private constructor(path: string, folder: string, file: Writable, pack: Pack) {
    this.#path = path;
    this.#folder = folder;
    this.#pack = pack;
    this.#written = pipeline(Readable.from(this.#pack), createGzip(), file);
    // The next one who writes gets the error.
    this.#written.catch(() => {});
  }

  /** Begins a new file, with all that is in it in one folder. Throws if there is one under this path. */
  static async create(path: string, folder = ARCHIVE_FOLDER): Promise<Archive> {
    const file = await open(path, "wx", OWNER_ONLY);
    return Archive.over(path, folder, file.createWriteStream());
  }

  /** `file` writes to the path. */
  static async over(path: string, folder: string, file: Writable): Promise<Archive> {
    const { pack } = await import("tar-stream");
    return new Archive(path, folder, file, pack());
  }

  /** Resolves when the bytes are passed on: the caller may then use their memory again. */
  async add(name: string, bytes: Buffer): Promise<void> {
    this.checksums[name] = await this.addFile(name, bytes.length, slicesOf(bytes));
  }

  /** `content` must have just as many bytes. Returns their SHA-256 in hexadecimal. */
  async addFile(name: string, size: number, content: Iterable<Buffer> | Readable): Promise<string> {
    const header = { name: `${this.#folder}/${name}`, size, mode: 0o644, mtime: this.#writtenAt };
    const hash = createHash("sha256");
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const added = new Promise<void>((resolve, reject) => {
      const entry = this.#pack.entry(header, (error) => (error ? reject(error) : resolve()));
      const stream = content instanceof Readable ? content : Readable.from(content, { highWaterMark: 1 });
      pipeline(stream, hashing, entry).catch(reject);
    });
    added.catch(() => {});
    try {
      await Promise.race([added, this.#failure()]);
    } catch (error) {
      throw await this.#causeOf(error);
    }
    return hash.digest("hex");
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

  /** What the disk refused ends all streams, and some of them say only that they were ended. */
  async #causeOf(error: unknown): Promise<unknown> {
    if (!this.#pack.destroyed) return error;
    const end: unknown = await this.#written.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return end instanceof Error && "syscall" in end ? end : error;
  }

  async #failure(): Promise<never> {
    await this.#written;
    throw new Error("the archive is closed");
  }
}

/** Copies: what is compressed later must not change meanwhile. Small ones are collected at once. */
function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    yield Buffer.from(bytes.subarray(start, start + SLICE_BYTES));
  }
}

/**
 * Records of one kind, each a line of JSON, in files `KIND/000001.jsonl` and so on. All files of a kind are
 * collected in the same memory. With new memory for each, the process grows by what the garbage collector
 * leaves for later.
 */
export class RecordFiles {
  readonly #archive: Archive;
  readonly #kind: string;
  #memory = Buffer.alloc(0);
  #length = 0;
  #files = 0;
  count = 0;

  constructor(archive: Archive, kind: string) {
    this.#archive = archive;
    this.#kind = kind;
  }

  async add(record: object): Promise<void> {
    const line = `${JSON.stringify(record)}\n`;
    this.#makeRoom(Buffer.byteLength(line));
    this.#length += this.#memory.write(line, this.#length);
    this.count++;
    if (this.#length >= FILE_BYTES) await this.end();
  }

  /** Writes what was collected. */
  async end(): Promise<void> {
    if (this.#length === 0) return;
    const bytes = this.#memory.subarray(0, this.#length);
    this.#length = 0;
    this.#files++;
    await this.#archive.add(`${this.#kind}/${String(this.#files).padStart(6, "0")}.jsonl`, bytes);
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#memory.length, FIRST_BYTES));
    this.#memory.copy(larger, 0, 0, this.#length);
    this.#memory = larger;
  }
}
