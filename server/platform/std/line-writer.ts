/**
 * Writes lines to standard output or standard error, and never waits for them: not for room on a disk, and
 * not for a reader of a pipe. Lines that can't be written are kept, up to a limit. The rest is lost, and a
 * line says how many were.
 *
 * It is synchronous on purpose. An asynchronous write of a full pipe occupies a thread of libuv, and a
 * process with such a thread can't even exit.
 */
import fs from "node:fs";
import { NamedFile } from "./named-file.ts";

export interface LineWriterOptions {
  /** Writes some of the bytes and returns how many, or throws. */
  write(bytes: Buffer): number;
  /** The line that stands for those that were lost. `code`: the reason, such as ENOSPC. */
  lossLine?(count: number, code: string): string;
  maxKeptBytes?: number;
}

/** Some thousand lines. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** A pipe may have room again at any moment, a disk when somebody makes it. */
const PIPE_RETRY_MS = 50;
const RETRY_MS = 1000;

export class LineWriter {
  readonly #options: LineWriterOptions;
  /** In the order of writing. A part of the first one may have been written. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #lost = 0;
  #code = "";
  #retry: NodeJS.Timeout | undefined;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    // Those of the last second are worth one more try.
    process.once("exit", () => this.#writeKept());
  }

  write(line: string): void {
    this.#keep(Buffer.from(line));
    // While the timer runs, each line would cost a system call that fails.
    if (this.#retry === undefined) this.#writeKept();
  }

  #keep(line: Buffer): void {
    const { lossLine, maxKeptBytes = MAX_KEPT_BYTES } = this.#options;
    if (this.#keptBytes + line.length > maxKeptBytes) {
      this.#lost++;
      return;
    }
    if (this.#lost > 0) {
      if (lossLine) this.#push(Buffer.from(lossLine(this.#lost, this.#code)));
      this.#lost = 0;
    }
    this.#push(line);
  }

  #push(line: Buffer): void {
    this.#kept.push(line);
    this.#keptBytes += line.length;
  }

  #writeKept(): void {
    this.#retry = undefined;
    let count = 0;
    try {
      for (const line of this.#kept) {
        this.#writeWhole(line, count);
        count++;
      }
    } catch (error) {
      this.#code = (error as NodeJS.ErrnoException).code ?? "unknown";
      this.#retry = setTimeout(
        () => this.#writeKept(),
        this.#code === "EAGAIN" ? PIPE_RETRY_MS : RETRY_MS,
      ).unref();
    }
    if (count > 0) this.#kept = this.#kept.slice(count);
    if (this.#kept.length === 0) this.#tellLoss();
  }

  /** Leaves the rest in its place when it fails in the middle. */
  #writeWhole(line: Buffer, place: number): void {
    for (let rest = line; rest.length > 0; ) {
      const written = this.#options.write(rest);
      this.#keptBytes -= written;
      rest = rest.subarray(written);
      this.#kept[place] = rest;
    }
  }

  /** All kept lines are written, and none has come since that would have carried the count. */
  #tellLoss(): void {
    if (this.#lost === 0) return;
    const line = this.#options.lossLine?.(this.#lost, this.#code);
    this.#lost = 0;
    if (line === undefined) return;
    this.#push(Buffer.from(line));
    this.#writeKept();
  }
}

/** The `write` of a line writer for standard output (1) or standard error (2). */
export function openOutput(number: 1 | 2): LineWriterOptions["write"] {
  const fd = withoutWaiting(number);
  const file = NamedFile.of(fd);
  return (bytes) => fs.writeSync(file?.descriptor() ?? fd, bytes);
}

/**
 * A descriptor for the same output on which a write fails instead of waiting, if there can be one. It is
 * opened again. The mode of the one that came with the process is shared: a shell has it too, and libuv takes
 * it back for everybody when it starts a process that inherits the output, such as a worker.
 */
function withoutWaiting(number: 1 | 2): number {
  const stat = fs.fstatSync(number);
  // A terminal waits after Ctrl+S, a pipe when nobody reads it.
  if (!stat.isCharacterDevice() && !stat.isFIFO() && !stat.isSocket()) return number;
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = fs.constants;
    return fs.openSync(`/dev/fd/${number}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A socket can't be opened again, nor can the pipe of another user. Node puts both into this mode when it
    // makes its own stream of them.
    if (!stat.isCharacterDevice()) void (number === 1 ? process.stdout : process.stderr);
    return number;
  }
}
