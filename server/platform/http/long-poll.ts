import type { ServerResponse } from "node:http";
import { ApiError, errors } from "../../../api/errors.ts";
import { type AnswerHead, type Body, writeAnswer, writeError } from "./answer.ts";
import type { HeldReply } from "./handler.ts";
import type { InFlight } from "./in-flight.ts";
import type { Listed } from "./unordered-list.ts";

/**
 * A response that may be sent much later. Thousands are held at a time, so each keeps as little as possible.
 */
export class LongPoll implements HeldReply, Listed {
  listIndex = -1;
  readonly #res: ServerResponse;
  readonly #head: AnswerHead;
  readonly #inFlight: InFlight;
  #listener: ((isStopping: boolean) => void) | undefined;
  #state: "waiting" | "answered" | "gone" = "waiting";
  /** Milliseconds; 0 where nobody asks how long it was held. */
  readonly #heldAt: number;

  /** The poll is among those in flight while it waits. */
  constructor(res: ServerResponse, head: AnswerHead, inFlight: InFlight) {
    this.#res = res;
    this.#head = head;
    this.#inFlight = inFlight;
    this.#heldAt = inFlight.onCutPoll ? performance.now() : 0;
    inFlight.longPolls.add(this);
    res.on("close", () => this.#abandon());
  }

  get isWaiting(): boolean {
    return this.#state === "waiting";
  }

  send(json: Body): void {
    if (!this.#end("answered")) return;
    this.#head.isLast ||= this.#inFlight.isStopping;
    writeAnswer(this.#res, 200, json, this.#head);
  }

  refuse(error: ApiError<never>): void {
    if (this.#end("answered")) writeError(this.#res, error, this.#head);
  }

  /** The server stops. The handler sends what there is; without a listener the client gets an error. */
  release(): void {
    const listener = this.#listener;
    this.#head.isLast = true;
    listener?.(true);
    this.refuse(new ApiError(errors.shuttingDown));
  }

  onEnd(listener: (isStopping: boolean) => void): void {
    // The client may have disconnected before the handler started to wait, or the server may be stopping.
    if (this.#state === "gone") {
      listener(false);
    } else if (this.isWaiting) {
      this.#listener = listener;
      if (this.#inFlight.isStopping) this.release();
    }
  }

  #abandon(): void {
    const listener = this.#listener;
    if (!this.#end("gone")) return;
    this.#inFlight.onCutPoll?.(performance.now() - this.#heldAt);
    listener?.(false);
  }

  #end(state: "answered" | "gone"): boolean {
    if (!this.isWaiting) return false;
    this.#state = state;
    this.#listener = undefined;
    this.#inFlight.longPolls.delete(this);
    return true;
  }
}
