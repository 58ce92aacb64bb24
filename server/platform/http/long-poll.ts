import type { ServerResponse } from "node:http";
import { ApiError, errors } from "../../../api/errors.ts";
import { type AnswerHead, type Body, writeAnswer, writeError } from "./answer.ts";
import type { HeldReply } from "./handler.ts";

/**
 * A response that may be sent much later. Thousands are held at a time, so each keeps as little as possible.
 */
export class LongPoll implements HeldReply {
  readonly #res: ServerResponse;
  readonly #head: AnswerHead;
  readonly #all: Set<LongPoll>;
  #listener: (() => void) | undefined;
  #state: "waiting" | "answered" | "gone" = "waiting";

  /** The poll is in `all` while it waits. */
  constructor(res: ServerResponse, head: AnswerHead, all: Set<LongPoll>) {
    this.#res = res;
    this.#head = head;
    this.#all = all;
    all.add(this);
    res.on("close", () => this.#abandon());
  }

  get isWaiting(): boolean {
    return this.#state === "waiting";
  }

  send(json: Body): void {
    if (this.#end("answered")) writeAnswer(this.#res, 200, json, this.#head);
  }

  refuse(error: ApiError<never>): void {
    if (this.#end("answered")) writeError(this.#res, error, this.#head);
  }

  /** The server stops. The client gets an error that asks to retry, and the `onClose` listener is called. */
  release(): void {
    const listener = this.#listener;
    this.#head.isLast = true;
    this.refuse(new ApiError(errors.shuttingDown));
    listener?.();
  }

  onClose(listener: () => void): void {
    // The client may have disconnected before the handler started to wait.
    if (this.#state === "gone") listener();
    else if (this.isWaiting) this.#listener = listener;
  }

  #abandon(): void {
    const listener = this.#listener;
    if (this.#end("gone")) listener?.();
  }

  #end(state: "answered" | "gone"): boolean {
    if (!this.isWaiting) return false;
    this.#state = state;
    this.#listener = undefined;
    this.#all.delete(this);
    return true;
  }
}
