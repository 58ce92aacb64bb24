import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { type Fields, parseForm } from "./form.ts";
import { parseMultipart } from "./multipart.ts";

/**
 * A message of 10,000 characters takes up to 90 kB when it is percent-encoded. Long lists of ids take more.
 */
export const MAX_BODY_BYTES = 1024 * 1024;
/** For callers without an account, and for pages. Their forms have a few short fields. */
export const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024;

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const NOTHING = Buffer.alloc(0);
/**
 * Bodies of these methods are ignored. A GET may have a body, since lists of ids can be too long for a URL.
 */
const BODYLESS = new Set(["HEAD", "TRACE"]);

/** The result of reading a request's body: its fields, or the error to respond with. */
export type Body = { fields: Fields | undefined } | { error: unknown };

const NO_BODY: Body = { fields: undefined };

/**
 * Reads a call's body of at most `limit` bytes and passes its fields to `then`, synchronously when there is no
 * body. A body that is not a form, for example JSON, is read and ignored (as upstream). If the client
 * disconnects meanwhile, `then` is never called.
 */
export function readBody(raw: IncomingMessage, limit: number, then: (body: Body) => void): void {
  const { method = "GET", headers } = raw;
  const { "content-type": type, "content-length": length } = headers;
  if (BODYLESS.has(method)) {
    then(NO_BODY);
  } else if (Number(length) > limit) {
    then({ error: new ApiError(errors.bodyTooLarge) });
  } else if (headers["transfer-encoding"] === undefined && (length === undefined || length === "0")) {
    then(parseBody(type, NOTHING));
  } else {
    new BodyReader(raw, type, limit, then);
  }
}

/** Reads the bodies for pages, in place of the framework, which would hold larger ones in memory. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, _payload, done) => {
    readBody(request.raw, MAX_ANONYMOUS_BODY_BYTES, (body) => {
      if ("error" in body) done(body.error as Error);
      else done(null, body.fields);
    });
  });
}

/** The framework would answer an invalid Content-Type with its own error, so only types of forms are kept. */
export function normalizeContentType(raw: IncomingMessage): void {
  const type = raw.headers["content-type"];
  if (type === undefined || type === FORM) return;
  const lower = type.trimStart().toLowerCase();
  if (lower.startsWith(FORM)) raw.headers["content-type"] = FORM;
  else if (!lower.startsWith(MULTIPART)) raw.headers["content-type"] = undefined;
}

class BodyReader {
  readonly #raw: IncomingMessage;
  readonly #type: string | undefined;
  readonly #limit: number;
  readonly #then: (body: Body) => void;
  /** Most bodies arrive in one piece. */
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  #length = 0;

  constructor(raw: IncomingMessage, type: string | undefined, limit: number, then: (body: Body) => void) {
    this.#raw = raw;
    this.#type = type;
    this.#limit = limit;
    this.#then = then;
    raw.on("data", this.#take).on("end", this.#finish);
  }

  readonly #take = (chunk: Buffer): void => {
    this.#length += chunk.length;
    if (this.#length > this.#limit) {
      this.#raw.off("data", this.#take).off("end", this.#finish);
      this.#then({ error: new ApiError(errors.bodyTooLarge) });
    } else if (!this.#first) {
      this.#first = chunk;
    } else {
      this.#more ??= [this.#first];
      this.#more.push(chunk);
    }
  };

  readonly #finish = (): void => {
    this.#then(parseBody(this.#type, this.#more ? Buffer.concat(this.#more) : (this.#first ?? NOTHING)));
  };
}

function parseBody(type: string | undefined, bytes: Buffer): Body {
  if (type === undefined) return NO_BODY;
  try {
    const fields = type.startsWith(FORM) ? parseForm(bytes) : parseMultipart(bytes, type);
    return fields ? { fields } : { error: new ApiError(errors.unreadableBody) };
  } catch (error) {
    // A bug of ours, which gets the usual 500.
    return { error };
  }
}
