import { randomFillSync } from "node:crypto";
import { rmSync, statfsSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";

const MiB = 1024 * 1024;
/** What a recovery writes before it can delete anything: some segments of its log. */
export const RESERVE_BYTES = 64 * MiB;
/** The disk part warns below this, and the file must not be the reason. */
const ROOM_BYTES = 500 * MiB;
const LOOK_MS = 60_000;

/**
 * A file that keeps room on the disk of the data directory. PostgreSQL can't start on a full disk, not even
 * to recover, so a start deletes the file if there is less room than it has. It is made again when there is.
 */
export class DiskReserve {
  readonly #file: string;
  readonly #freeBytes: () => number;
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** `freeBytes`: for tests. */
  constructor(dataDir: string, freeBytes = () => freeBytesOf(dataDir)) {
    this.#file = path.join(dataDir, "disk-reserve");
    this.#freeBytes = freeBytes;
  }

  /** Looks once a minute whether the file can be made, until `stop`. The first look is after a minute. */
  keep(everyMs = LOOK_MS): void {
    this.#timer = setInterval(() => {
      // What can't be made now may be made at the next look. Nothing depends on it meanwhile.
      this.#looking = this.#looking.then(() => this.fill()).catch(() => {});
    }, everyMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** Makes the file if it is missing and the disk has room for it. */
  async fill(): Promise<void> {
    if (this.#size() === RESERVE_BYTES) return;
    if (this.#freeBytes() < ROOM_BYTES + RESERVE_BYTES) return;
    const unfinished = `${this.#file}.new`;
    try {
      await rm(unfinished, { force: true });
      const file = await open(unfinished, "wx", 0o600);
      try {
        // Bytes that a file system which compresses can't make smaller.
        const bytes = randomFillSync(Buffer.allocUnsafe(MiB));
        for (let written = 0; written < RESERVE_BYTES; written += MiB) await file.write(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, this.#file);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  /** Deletes the file if the disk has less room than it takes. Returns whether it has. */
  release(): boolean {
    if (this.#size() === undefined) return false;
    if (this.#freeBytes() >= RESERVE_BYTES) return false;
    rmSync(this.#file, { force: true });
    return true;
  }

  #size(): number | undefined {
    return statSync(this.#file, { throwIfNoEntry: false })?.size;
  }
}

function freeBytesOf(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}
