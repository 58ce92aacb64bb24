import type { ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { acceptsGzip } from "./accepts-gzip.ts";
import {
  type AnswerHead,
  BEARER_CHALLENGE,
  compressedBody,
  ForeignAnswer,
  isApiError,
  Redirection,
  successBody,
  writeAnswer,
  writeError,
} from "./answer.ts";
import type { BodyStream } from "./body-stream.ts";
import { type Call, neverHeld } from "./handler.ts";
import type { InFlight } from "./in-flight.ts";
import { LongPoll } from "./long-poll.ts";
import type { Operation } from "./operation.ts";
import type { ReceivedForm } from "./received-files.ts";
import type { RequestLog } from "./request-log.ts";
import { FileAnswer } from "./send-file.ts";

const GZIP = ["Content-Encoding", "gzip", "Vary", "Accept-Encoding"];

/** One call from its handler to its response. Exactly one response is written, even if the handler fails. */
export class Exchange {
  readonly operation: Operation;
  readonly head: AnswerHead;
  unsupported: string[] | undefined;
  /** The form that the call came with, if it may have files. They are deleted after the response. */
  received: ReceivedForm | undefined;
  /** The body, if the handler reads it. */
  stream: BodyStream | undefined;
  /** For the log. They are known once the caller is. */
  organizationId: number | undefined;
  userId: number | undefined;
  /** For the log, where it wants it. */
  readonly request: FastifyRequest | undefined;
  readonly #res: ServerResponse;
  readonly #inFlight: InFlight;
  readonly #requestLog: RequestLog;
  /** undefined: the handler has not been called. */
  #startedAt: number | undefined;
  #held: LongPoll | undefined;

  constructor(
    operation: Operation,
    request: FastifyRequest,
    res: ServerResponse,
    inFlight: InFlight,
    requestLog: RequestLog,
  ) {
    this.operation = operation;
    this.request = requestLog.claim(request);
    this.head = { requestId: request.id, rate: undefined, isLast: false };
    if (operation.takesBearer) this.head.challenge = BEARER_CHALLENGE;
    if (operation.protocolHeaders) this.head.protocolHeaders = operation.protocolHeaders;
    this.#res = res;
    this.#inFlight = inFlight;
    this.#requestLog = requestLog;
  }

  get requestId(): string {
    return this.head.requestId;
  }

  /** Calls the handler and writes the response. From now on a stop waits for the call. */
  run(call: Call<unknown, unknown>): void {
    const { operation } = this;
    this.#startedAt = Date.now();
    this.#inFlight.calls++;
    if (operation.holds) this.#held = new LongPoll(this.#res, this.head, this.#inFlight);
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
      : this.#requestLog.failure(error, this.head.requestId, this.operation.name, this.#mayHaveChanged);
    this.#finish(known.declaration.status);
    if (this.#held) this.#held.refuse(known);
    else if (!this.operation.refuse?.(this.#res, known, this.head)) writeError(this.#res, known, this.head);
  }

  /** Until the handler is called, everything only reads. */
  get #mayHaveChanged(): boolean {
    return this.#startedAt !== undefined && this.operation.changes;
  }

  /** A reply that JSON can't represent (a bigint, a cycle) is a failure like any other. */
  #settle(fields: unknown): void {
    try {
      this.#succeed(fields as object | undefined);
    } catch (error) {
      this.fail(error);
    }
  }

  #succeed(fields: object | undefined): void {
    if (fields instanceof ForeignAnswer) {
      this.#finish(fields.status);
      writeAnswer(this.#res, fields.status, fields.json, this.head, fields.headers);
      return;
    }
    if (fields instanceof FileAnswer) {
      this.#finish(fields.status);
      fields.write(this.#res, this.head);
      return;
    }
    if (fields instanceof Redirection) {
      this.#finish(302);
      writeAnswer(this.#res, 302, successBody(undefined, undefined), this.head, [
        "Location",
        fields.location,
      ]);
      return;
    }
    if (this.operation.compresses && fields && acceptsGzip(this.#res.req.headers)) {
      compressedBody(fields, this.unsupported)
        .then((compressed) => this.#write(fields, compressed))
        .catch((error) => this.fail(error));
      return;
    }
    this.#write(fields, undefined);
  }

  #write(fields: object | undefined, compressed: readonly Buffer[] | undefined): void {
    // A handler that holds its response returns nothing, and may not have answered yet.
    const body =
      compressed ?? (this.#held && fields === undefined ? undefined : successBody(fields, this.unsupported));
    this.#finish(200);
    if (body === undefined) return;
    if (this.#held) this.#held.send(body);
    else writeAnswer(this.#res, 200, body, this.head, compressed && GZIP);
  }

  #finish(status: number): void {
    if (this.#inFlight.isStopping) this.head.isLast = true;
    let took: number | undefined;
    if (this.#startedAt !== undefined) {
      this.#inFlight.calls--;
      took = Date.now() - this.#startedAt;
    }
    void this.received?.discard();
    this.stream?.release();
    this.#requestLog.call(this.operation, this, status, took);
  }
}
