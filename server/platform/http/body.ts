import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { TurnBudget } from "../std/turn-budget.ts";
import type { ArrivingBodies, ArrivingBody } from "./arriving-bodies.ts";
import { type Fields, parseForm } from "./form.ts";
import { JsonFields, parseJsonBody } from "./json-body.ts";
import { parseMultipart } from "./multipart.ts";
import { networkOf } from "./rate-limit.ts";

/**
 * A message of 10,000 characters takes up to 90 kB when it is percent-encoded. Long lists of ids take more.
 */
export const MAX_BODY_BYTES = 1024 * 1024;
/** For callers without an account, and for pages. Their forms have a few short fields. */
export const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024;

const PAGE_BODY: ReadOptions = { limit: MAX_ANONYMOUS_BODY_BYTES, isRaw: false };

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const JSON_TYPE = "application/json";
const NOTHING = Buffer.alloc(0);
/** A body in chunks of one byte would take more memory and time than its length says. */
const MAX_PIECES = 8192;
/** What a piece takes in memory besides its bytes, about. */
const PIECE_OVERHEAD = 200;
/**
 * Bodies of these methods are ignored. A GET may have a body, since lists of ids can be too long for a URL.
 */
const BODYLESS = new Set(["HEAD", "TRACE"]);

/** The result of reading a request's body: its fields, or the error to respond with. */
export type Body =
  | { fields: Fields | JsonFields | undefined; bytes?: Buffer | undefined }
  | { error: unknown };

/** The body of a request without one, or whose body is read elsewhere. */
export const NO_BODY: Body = { fields: undefined };

interface ReadOptions {
  /** The most bytes. */
  limit: number;
  /** Whether the bytes are wanted. Then JSON is not parsed, since its members are no parameters. */
  isRaw: boolean;
}

/**
 * Reads a request's body and passes its fields to `then`, synchronously when there is no body. A body that is
 * neither a form nor JSON is read and ignored (as upstream). If the client disconnects meanwhile, `then` is
 * never called.
 */
export function readBody(
  request: FastifyRequest,
  options: ReadOptions,
  arriving: ArrivingBodies,
  then: (body: Body) => void,
): void {
  const { method = "GET", headers } = request.raw;
  const { "content-type": type, "content-length": length } = headers;
  if (BODYLESS.has(method)) {
    then(NO_BODY);
  } else if (Number(length) > options.limit) {
    then({ error: new ApiError(errors.bodyTooLarge) });
  } else if (headers["transfer-encoding"] === undefined && (length === undefined || length === "0")) {
    then(parseBody(type, NOTHING, options.isRaw));
  } else {
    new BodyReader(request, options, arriving, then);
  }
}

/** Reads the bodies for pages, in place of the framework, which would hold larger ones in memory. */
export function readBodies(app: FastifyInstance, arriving: ArrivingBodies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, _payload, done) => {
    readBody(request, PAGE_BODY, arriving, (body) => {
      if ("error" in body) done(body.error as Error);
      // Forms of pages are HTML forms. To a page, JSON counts as no fields.
      else done(null, body.fields instanceof JsonFields ? undefined : body.fields);
    });
  });
}

/** The framework would answer an invalid Content-Type with its own error, so only known types are kept. */
export function normalizeContentType(raw: IncomingMessage): void {
  const type = raw.headers["content-type"];
  if (type === undefined || type === FORM) return;
  const lower = type.trimStart().toLowerCase();
  if (lower.startsWith(FORM)) raw.headers["content-type"] = FORM;
  else if (JSON_TYPES.test(lower)) raw.headers["content-type"] = JSON_TYPE;
  else if (!lower.startsWith(MULTIPART)) raw.headers["content-type"] = undefined;
}

/** With its parameters, such as a charset. JSON is always UTF-8. */
const JSON_TYPES = /^application\/json[\t ]*(?:;|$)/;

/** From this length on, a body waits until the turn of the event loop has time for it. */
const LARGE_BODY_BYTES = 8 * 1024;
const turns = new TurnBudget();

class BodyReader implements ArrivingBody {
  listIndex = -1;
  length = 0;
  periodStartedAt = 0;
  periodStartLength = 0;
  readonly #request: FastifyRequest;
  /** undefined: the client does not name it. */
  readonly #wholeLength: number | undefined;
  readonly #options: ReadOptions;
  readonly #arriving: ArrivingBodies;
  readonly #then: (body: Body) => void;
  /** Most bodies arrive in one piece. */
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  /** What was taken of the budget of all bodies, and for whom. */
  #taken = 0;
  #network: string | undefined;

  constructor(
    request: FastifyRequest,
    options: ReadOptions,
    arriving: ArrivingBodies,
    then: (body: Body) => void,
  ) {
    const { raw } = request;
    const length = raw.headers["content-length"];
    this.#request = request;
    this.#wholeLength = length === undefined ? undefined : Number(length);
    this.#options = options;
    this.#arriving = arriving;
    this.#then = then;
    arriving.add(this);
    raw.on("data", this.#take).on("end", this.#finish).on("close", this.#stop);
  }

  giveUp(error: unknown): void {
    this.#stop();
    this.#first = undefined;
    this.#more = undefined;
    this.#then({ error });
  }

  readonly #take = (chunk: Buffer): void => {
    this.length += chunk.length;
    try {
      if (this.length > this.#options.limit) throw new ApiError(errors.bodyTooLarge);
      // A body that came as a whole is parsed at once.
      if (this.length < (this.#wholeLength ?? Infinity) || this.#first) this.#keep(chunk);
      else this.#first = chunk;
    } catch (error) {
      this.giveUp(error);
    }
  };

  #keep(chunk: Buffer): void {
    const cost = chunk.length + PIECE_OVERHEAD;
    // The address is known only while the connection is open.
    this.#network ??= networkOf(this.#request.ip);
    this.#arriving.take(this.#network, cost);
    this.#taken += cost;
    if (!this.#first) {
      this.#first = chunk;
      return;
    }
    this.#more ??= [this.#first];
    if (this.#more.length === MAX_PIECES) throw new ApiError(errors.bodyTooLarge);
    this.#more.push(chunk);
  }

  readonly #finish = (): void => {
    if (this.length < LARGE_BODY_BYTES) this.#parse();
    else this.#parseInTurn();
  };

  #parse(): void {
    this.#stop();
    const bytes = this.#more ? Buffer.concat(this.#more) : (this.#first ?? NOTHING);
    this.#then(parseBody(this.#request.raw.headers["content-type"], bytes, this.#options.isRaw));
  }

  /** A body that waits for its turn takes memory, as one that is arriving does. */
  #parseInTurn(): void {
    this.#stop();
    const { length } = this;
    try {
      this.#arriving.takeWhole(length);
    } catch (error) {
      this.giveUp(error);
      return;
    }
    void turns.run(this.#request.ip, length, () => {
      this.#arriving.giveBackWhole(length);
      this.#parse();
    });
  }

  readonly #stop = (): void => {
    this.#request.raw.off("data", this.#take).off("end", this.#finish).off("close", this.#stop);
    this.#arriving.remove(this);
    if (this.#network !== undefined) this.#arriving.giveBack(this.#network, this.#taken);
    this.#network = undefined;
  };
}

function parseBody(type: string | undefined, bytes: Buffer, isRaw: boolean): Body {
  const kept = isRaw ? bytes : undefined;
  if (type === undefined) return isRaw ? { fields: undefined, bytes: kept } : NO_BODY;
  try {
    if (type === JSON_TYPE) return { fields: isRaw ? undefined : parseJsonBody(bytes), bytes: kept };
    const fields = type.startsWith(FORM) ? parseForm(bytes) : parseMultipart(bytes, type);
    return fields ? { fields, bytes: kept } : { error: new ApiError(errors.unreadableBody) };
  } catch (error) {
    // The error that a declaration names, or a bug of ours, which gets the usual 500.
    return { error };
  }
}
