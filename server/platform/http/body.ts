import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { type Fields, parseForm } from "./form.ts";
import { parseMultipart } from "./multipart.ts";

/** A message of 10,000 characters takes up to 90 kB when it is percent-encoded; long lists of ids take more. */
export const MAX_BODY_BYTES = 1024 * 1024;

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const NOTHING = Buffer.alloc(0);
/** What comes with these is not looked at. A GET may have a body: lists of ids can be too long for an address. */
const BODYLESS = new Set(["HEAD", "TRACE"]);

/** What a request's body turned out to be: its fields, or the error to answer with. */
export type Body = { fields: Fields | undefined } | { error: unknown };

const NO_BODY: Body = { fields: undefined };

/**
 * Reads a call's body and hands on its fields, at once when there is no body. A body of any other kind than a form, JSON
 * too, is read and counts as no parameters (as upstream). A caller that goes away meanwhile is not heard of again.
 */
export function readBody(raw: IncomingMessage, then: (body: Body) => void): void {
  const { method = "GET", headers } = raw;
  const { "content-type": type, "content-length": length } = headers;
  if (BODYLESS.has(method)) {
    then(NO_BODY);
  } else if (Number(length) > MAX_BODY_BYTES) {
    then({ error: new ApiError(errors.bodyTooLarge) });
  } else if (headers["transfer-encoding"] === undefined && (length === undefined || length === "0")) {
    then(parseBody(type, NOTHING));
  } else {
    new BodyReader(raw, type, then);
  }
}

/** The same for pages, whose bodies the framework reads. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([FORM, MULTIPART], { parseAs: "buffer" }, (request, bytes, done) => {
    const body = parseBody(request.headers["content-type"], bytes as Buffer);
    if ("error" in body) done(body.error as Error);
    else done(null, body.fields);
  });
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) => done(null, undefined));
}

/** A Content-Type that the framework could not read would end in its own error: only those that matter are left. */
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
  readonly #then: (body: Body) => void;
  /** Most bodies come in one piece. */
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  #length = 0;

  constructor(raw: IncomingMessage, type: string | undefined, then: (body: Body) => void) {
    this.#raw = raw;
    this.#type = type;
    this.#then = then;
    raw.on("data", this.#take).on("end", this.#finish);
  }

  readonly #take = (chunk: Buffer): void => {
    this.#length += chunk.length;
    if (this.#length > MAX_BODY_BYTES) {
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
    // Our bug, to be answered like any other.
    return { error };
  }
}
