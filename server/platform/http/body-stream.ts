/**
 * A body that its handler writes to a file while it arrives. The connection is read only as fast as the disk
 * takes it, so a body of any length costs a buffer. What arrived before the client left stays in the file.
 */
import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { ApiError, errors } from "../../../api/errors.ts";
import type { ArrivingBodies, ArrivingBody } from "./arriving-bodies.ts";

export interface StreamTarget {
  file: FileHandle;
  /** Where the first byte goes. */
  position: number;
  maxBytes: number;
  /** Ends the writing. */
  signal: AbortSignal;
}

export class BodyStream {
  readonly release: () => void;
  readonly #raw: IncomingMessage;
  readonly #arriving: ArrivingBodies;
  readonly #checkSender: () => void;

  constructor(
    raw: IncomingMessage,
    arriving: ArrivingBodies,
    { release, checkSender }: { release: () => void; checkSender: () => void },
  ) {
    this.#raw = raw;
    this.#arriving = arriving;
    this.#checkSender = checkSender;
    this.release = release;
  }

  /**
   * Writes the whole body and returns its bytes. Throws `bodyTooLarge` if it is longer than it may be,
   * `requestTimeout` if it is too slow or torn, and what `checkSender` throws. The file then has the bytes
   * that came before, but none past `maxBytes`.
   */
  writeTo(target: StreamTarget): Promise<number> {
    if (Number(this.#raw.headers["content-length"]) > target.maxBytes)
      return Promise.reject(new ApiError(errors.bodyTooLarge));
    return new Promise((resolve, reject) => {
      new BodyWriter(this.#raw, this.#arriving, target, this.#checkSender, resolve, reject).begin();
    });
  }
}

class BodyWriter implements ArrivingBody {
  listIndex = -1;
  length = 0;
  periodStartedAt = 0;
  periodStartLength = 0;
  readonly checkSender: () => void;
  readonly #raw: IncomingMessage;
  readonly #arriving: ArrivingBodies;
  readonly #target: StreamTarget;
  readonly #resolve: (bytes: number) => void;
  readonly #reject: (error: unknown) => void;
  #writing: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(
    raw: IncomingMessage,
    arriving: ArrivingBodies,
    target: StreamTarget,
    checkSender: () => void,
    resolve: (bytes: number) => void,
    reject: (error: unknown) => void,
  ) {
    this.#raw = raw;
    this.#arriving = arriving;
    this.#target = target;
    this.checkSender = checkSender;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  begin(): void {
    this.#arriving.add(this);
    const { signal } = this.#target;
    signal.addEventListener("abort", this.#leave);
    if (this.#raw.destroyed || signal.aborted) this.#leave();
    else this.#raw.on("data", this.#take).on("end", this.#end).on("close", this.#leave);
  }

  /** What is being written is finished before the file can be closed. */
  giveUp(error: unknown): void {
    if (this.#isOver) return;
    this.#stop();
    const refuse = (): void => {
      // The rest is read, so that the response can be read before the connection is closed.
      this.#raw.resume();
      this.#reject(error);
    };
    this.#writing.then(refuse, refuse);
  }

  readonly #take = (chunk: Buffer): void => {
    const position = this.#target.position + this.length;
    if (this.length + chunk.length > this.#target.maxBytes) {
      this.giveUp(new ApiError(errors.bodyTooLarge));
      return;
    }
    this.length += chunk.length;
    this.#raw.pause();
    this.#writing = writeWhole(this.#target.file, chunk, position);
    this.#writing.then(
      () => {
        if (!this.#isOver) this.#raw.resume();
      },
      (error: unknown) => this.giveUp(error),
    );
  };

  /** The end may be reported while the last piece is being written. */
  readonly #end = (): void => {
    this.#stop();
    this.#writing.then(() => this.#resolve(this.length), this.#reject);
  };

  readonly #leave = (): void => this.giveUp(new ApiError(errors.requestTimeout));

  #stop(): void {
    this.#isOver = true;
    this.#arriving.remove(this);
    this.#target.signal.removeEventListener("abort", this.#leave);
    this.#raw.off("data", this.#take).off("end", this.#end).off("close", this.#leave);
  }
}

async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
