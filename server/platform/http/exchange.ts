import type { ServerResponse } from "node:http";
import { type AnswerHead, isApiError, successBody, writeAnswer, writeError } from "./answer.ts";
import type { Call, HeldReply } from "./handler.ts";
import type { Traffic } from "./in-flight.ts";
import { Held } from "./long-poll.ts";
import type { Operation } from "./operation.ts";
import type { Journal } from "./request-log.ts";

/** One call from its handler to its answer. Whatever the handler does, exactly one answer is written. */
export class Exchange {
  readonly operation: Operation;
  readonly head: AnswerHead;
  unsupported: string[] | undefined;
  readonly #res: ServerResponse;
  readonly #traffic: Traffic;
  readonly #journal: Journal;
  readonly #startedAt = Date.now();
  #held: Held | undefined;

  constructor(
    operation: Operation,
    res: ServerResponse,
    requestId: string,
    traffic: Traffic,
    journal: Journal,
  ) {
    this.operation = operation;
    this.head = { requestId, rate: undefined, isLast: false };
    this.#res = res;
    this.#traffic = traffic;
    this.#journal = journal;
    traffic.inFlight++;
  }

  /** Calls the handler and sees to its answer. */
  run(call: Call<unknown, unknown>): void {
    const { operation } = this;
    if (operation.holds) this.#held = new Held(this.#res, this.head, this.#traffic.held);
    const outcome = operation.handle(call, this.#held ?? neverHeld);
    if (outcome instanceof Promise) {
      outcome.then(
        (fields) => this.#settle(fields),
        (error) => this.fail(error),
      );
    } else {
      this.#settle(outcome);
    }
  }

  fail(error: unknown): void {
    const known = isApiError(error)
      ? error
      : this.#journal.failure(error, this.head.requestId, this.operation.name);
    this.#finish(known.declaration.status);
    if (this.#held) this.#held.refuse(known);
    else writeError(this.#res, known, this.head);
  }

  /** JSON that can't be written (a bigint, a circle) is a failure like any other. */
  #settle(fields: unknown): void {
    try {
      this.#succeed(fields as object | undefined);
    } catch (error) {
      this.fail(error);
    }
  }

  #succeed(fields: object | undefined): void {
    // A handler that holds its answer returns nothing, and need not have answered yet.
    const body = this.#held && fields === undefined ? undefined : successBody(fields, this.unsupported);
    this.#finish(200);
    if (body === undefined) return;
    if (this.#held) this.#held.send(body);
    else writeAnswer(this.#res, 200, body, this.head);
  }

  #finish(status: number): void {
    this.#traffic.inFlight--;
    if (this.#traffic.isStopping) this.head.isLast = true;
    this.#journal.call(this.operation, this.head.requestId, status, Date.now() - this.#startedAt);
  }
}

/** What the handler of an endpoint without `streams` gets. */
const neverHeld: HeldReply = {
  send: unexpectedHold,
  onClose: unexpectedHold,
};

function unexpectedHold(): never {
  throw new Error("only an endpoint that declares `streams` can hold its answer");
}
