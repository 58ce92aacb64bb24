/**
 * A log that is a file. To rotate it, a program moves it away or removes it, and its lines would go on into a
 * file that nobody looks at. So it is opened again under its name, without any signal.
 */
import fs from "node:fs";

const LOOK_MS = 1000;

export class NamedFile {
  #descriptor: number;
  readonly #path: string;
  readonly #now: () => number;
  #lookAt = 0;

  private constructor(descriptor: number, path: string, now: () => number) {
    this.#descriptor = descriptor;
    this.#path = path;
    this.#now = now;
  }

  /** undefined: it is no file, or the system does not tell its name. */
  static of(descriptor: number, now: () => number = () => performance.now()): NamedFile | undefined {
    try {
      const path = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
      const isNamed = fs.fstatSync(descriptor).isFile() && isSame(path, descriptor);
      return isNamed ? new NamedFile(descriptor, path, now) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Where the next line is to be written. */
  descriptor(): number {
    if (this.#now() < this.#lookAt) return this.#descriptor;
    this.#lookAt = this.#now() + LOOK_MS;
    try {
      if (!isSame(this.#path, this.#descriptor)) this.#open();
    } catch {
      // Its folder is gone, or this user may not write there. The lines go where they went.
    }
    return this.#descriptor;
  }

  #open(): void {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const mode = fs.fstatSync(this.#descriptor).mode & 0o777;
    // Somebody else may have put a link or a pipe there.
    const opened = fs.openSync(this.#path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode);
    const unused = fs.fstatSync(opened).isFile() ? this.#descriptor : opened;
    if (unused !== opened) this.#descriptor = opened;
    // Those of the process itself stay: what a crash says is written there.
    if (unused > 2) fs.closeSync(unused);
  }
}

function isSame(path: string, descriptor: number): boolean {
  const named = fs.statSync(path, { throwIfNoEntry: false });
  const own = fs.fstatSync(descriptor);
  return named !== undefined && named.ino === own.ino && named.dev === own.dev;
}
