import { Readable } from "node:stream";

/**
 * The bytes of an answer, ended with an error if nothing comes for so long while somebody waits for it. A
 * timeout of the connection would also end one whose reader pauses, such as a browser that shows a film.
 */
export class StoredStream extends Readable {
  readonly #body: Readable;
  readonly #stallMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(body: Readable, stallMs: number) {
    super();
    this.#body = body;
    this.#stallMs = stallMs;
    body.pause();
    body.on("data", (chunk: Buffer) => this.#take(chunk));
    body.on("end", () => this.push(null));
    body.on("error", (error) => this.destroy(error));
  }

  override _read(): void {
    this.#wait();
    this.#body.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    // The connection too, unless everything was read.
    this.#body.destroy();
    done(error);
  }

  #take(chunk: Buffer): void {
    clearTimeout(this.#timer);
    if (this.push(chunk)) this.#wait();
    else this.#body.pause();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.destroy(new Error("the storage stopped in the middle of a file"));
    }, this.#stallMs);
  }
}
