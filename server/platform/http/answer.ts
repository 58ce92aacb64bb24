import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from "node:http";
import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { gzipOf, stored } from "../std/deflate.ts";
import { RawJson, writeMembers, writeObject } from "../std/raw-json.ts";
import type { Rate } from "./rate-limit.ts";
import { hasSessionCookie, type SessionCookie } from "./session-cookie.ts";
import { endAfterRest, hasLongRest } from "./unread-body.ts";

/** What every response of the API carries besides its body. */
export interface AnswerHead {
  requestId: string;
  /** undefined: limits are off, or the request failed before it was counted. */
  rate: Rate | undefined;
  /** The connection is closed after this response. */
  isLast: boolean;
  /** Its changes are sent with a success. */
  cookie?: SessionCookie;
  /** How a program can sign in, for its 401. By default: by Basic credentials. */
  challenge?: string;
  /** Headers of another protocol, on refusals too. Names and values take turns. */
  protocolHeaders?: readonly string[];
}

/** A handler's response in the form of another protocol, which has no `result` and no `msg`. */
export class ForeignAnswer {
  readonly status: number;
  readonly json: Body;
  /** Names and values take turns. */
  readonly headers: readonly string[] | undefined;

  constructor(status: number, json: Body, headers?: readonly string[]) {
    this.status = status;
    this.json = json;
    this.headers = headers;
  }
}

/** A handler's response that sends the client to another address. */
export class Redirection {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** Sent with every response, pages included. There are no CORS headers: other origins get no access. */
export const securityHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
} as const;

/** Pages of other sites can neither embed these nor keep a handle on their window. */
export const isolationHeaders = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

/** JSON as text, or as bytes in pieces. The bytes include the final newline, the text does not. */
export type Body = string | readonly Buffer[];

const BASIC_CHALLENGE = 'Basic realm="parley"';
/** For programs that send an API key alone, or Basic credentials. */
export const BEARER_CHALLENGE = `Bearer realm="parley", ${BASIC_CHALLENGE}`;

/**
 * Writes a whole response of the API at once. A text gets a final newline, as upstream does. `type`: what the
 * body is, where it is no JSON.
 */
export function writeAnswer(
  res: ServerResponse,
  status: number,
  json: Body,
  head: AnswerHead,
  moreHeaders?: readonly string[],
  type = "application/json",
): void {
  if (res.destroyed || res.headersSent) return;
  const body = typeof json === "string" ? `${json}\n` : json;
  const length = typeof body === "string" ? Buffer.byteLength(body) : lengthOf(body);
  const headers: OutgoingHttpHeader[] = [
    // A 204 has no body, and names neither a type nor a length.
    ...(status === 204 ? [] : ["Content-Type", type, "Content-Length", String(length)]),
    "X-Request-Id",
    head.requestId,
    "X-Content-Type-Options",
    "nosniff",
    "Referrer-Policy",
    "same-origin",
    "Cache-Control",
    "no-store",
  ];
  const { rate } = head;
  if (rate) {
    headers.push("X-RateLimit-Limit", String(rate.limit));
    headers.push("X-RateLimit-Remaining", rate.remaining < 0 ? "0" : String(rate.remaining));
    headers.push("X-RateLimit-Reset", rate.reset);
  }
  if (moreHeaders) headers.push(...moreHeaders);
  // Several are one value: as pairs of their own, the last may replace the others.
  const [cookie, ...more] = status < 400 ? (head.cookie?.changes ?? []) : [];
  if (cookie !== undefined) headers.push("Set-Cookie", more.length > 0 ? [cookie, ...more] : cookie);
  if (head.protocolHeaders) headers.push(...head.protocolHeaders);
  const isEarly = hasLongRest(res.req);
  if (head.isLast || isEarly) headers.push("Connection", "close");
  res.writeHead(status, headers);
  if (typeof body !== "string") for (const piece of body) res.write(piece);
  else if (isEarly) res.write(body);
  if (isEarly) endAfterRest(res);
  else res.end(typeof body === "string" ? body : undefined);
}

function lengthOf(pieces: readonly { length: number }[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

const SUCCESS = '{"result":"success","msg":""';
/** Responses from this length on are sent as bytes in pieces. The largest pieces are cached (see RawJson). */
const LARGE = 64 * 1024;

/**
 * The same body compressed; undefined if it is too short for that. Only what is JSON already is compressed,
 * each piece by itself, and all other fields are stored. So no secret, such as a key of a bot, is compressed
 * together with a text that somebody else chose: the length would tell how much is equal.
 */
export async function compressedBody(
  fields: object,
  unsupported: readonly string[] | undefined,
): Promise<readonly Buffer[] | undefined> {
  const pieces = piecesOf(fields, unsupported);
  if (lengthOf(pieces) < LARGE) return undefined;
  const parts: (Promise<readonly Buffer[]> | Buffer[])[] = [];
  const plain: Buffer[] = [];
  for (const piece of joinShort([...pieces, "\n"])) {
    plain.push(...(piece instanceof RawJson ? piece.pieces : [piece]));
    parts.push(piece instanceof RawJson ? piece.parts() : [stored(piece)]);
  }
  return gzipOf((await Promise.all(parts)).flat(), plain);
}

/** The body of a success: `result`, `msg`, and the reply's own fields (spec Conventions 3, 4). */
export function successBody(fields: object | undefined, unsupported: readonly string[] | undefined): Body {
  const more = endOf(unsupported);
  if (!fields) return SUCCESS + more;
  // Most replies have no raw JSON in them, so they are serialized at once.
  if (!Object.values(fields).some(isRaw)) {
    const own = JSON.stringify(fields);
    return own === "{}" ? SUCCESS + more : `${SUCCESS},${own.slice(1, -1)}${more}`;
  }
  const pieces = piecesOf(fields, unsupported);
  if (lengthOf(pieces) < LARGE) return pieces.map(textOf).join("");
  return joinShort([...pieces, "\n"]).flatMap((piece) => (piece instanceof RawJson ? piece.pieces : [piece]));
}

function piecesOf(fields: object, unsupported: readonly string[] | undefined): (string | RawJson)[] {
  return [`${SUCCESS},`, ...writeMembers(fields as Record<string, unknown>), endOf(unsupported)];
}

function endOf(unsupported: readonly string[] | undefined): string {
  return unsupported ? `,"ignored_parameters_unsupported":${JSON.stringify(unsupported)}}` : "}";
}

function isRaw(value: unknown): boolean {
  return value instanceof RawJson;
}

function textOf(piece: string | RawJson): string {
  return typeof piece === "string" ? piece : piece.text;
}

/**
 * Large cached pieces are sent without a copy: it would be expensive, and each slow client would hold one.
 * All others are joined.
 */
function joinShort(pieces: readonly (string | RawJson)[]): (Buffer | RawJson)[] {
  const all: (Buffer | RawJson)[] = [];
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string" || piece.length < LARGE) {
      text += textOf(piece);
    } else {
      all.push(Buffer.from(text), piece);
      text = "";
    }
  }
  all.push(Buffer.from(text));
  return all;
}

/** When to try again after an error that does not say it. */
const RETRY_SECONDS = 1;

/** Writes the response for an error (spec Conventions 5). */
export function writeError(res: ServerResponse, error: ApiError<never>, head: AnswerHead): void {
  const { declaration, message, fields } = error;
  const body = writeObject({ result: "error", msg: message, code: declaration.code, ...fields });
  writeAnswer(res, declaration.status, body, head, headersOf(error, res.req, head));
}

function headersOf(
  error: ApiError<never>,
  { headers }: IncomingMessage,
  { challenge = BASIC_CHALLENGE }: AnswerHead,
): readonly string[] | undefined {
  switch (error.declaration.status) {
    case 401:
      // A browser would ask for a password, and then send it by itself with every request from any site.
      return isFromBrowser(headers) ? undefined : ["WWW-Authenticate", challenge];
    case 405:
      return ["Allow", dataOf(error, errors.methodNotAllowed)?.allowed.join(", ") ?? ""];
    case 429:
    case 503:
      return ["Retry-After", retryAfterOf(error) as string];
    default:
      return undefined;
  }
}

/**
 * Browsers send the first header to safe origins alone. Elsewhere what somebody opens there is known by what
 * the browser accepts, first of all a page or a picture. Programs accept JSON, or anything.
 */
function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  return (
    "sec-fetch-mode" in headers ||
    "x-parley-client" in headers ||
    hasSessionCookie(headers) ||
    /^\s*(?:text\/html\b|image\/)/i.test(headers.accept ?? "")
  );
}

/** The Retry-After header of errors that pass, in whole seconds. The body has the fraction. */
export function retryAfterOf(error: ApiError<never>): string | undefined {
  const { status } = error.declaration;
  if (status !== 429 && status !== 503) return undefined;
  // Each error that knows it calls it so.
  const data = error.data as { retryAfter?: number } | undefined;
  return String(Math.ceil(data?.retryAfter ?? RETRY_SECONDS));
}

function dataOf<D>(error: ApiError<never>, declaration: ErrorDeclaration<D>): D | undefined {
  const { declaration: actual, data } = error as unknown as ApiError<D>;
  return actual === declaration ? data : undefined;
}

/** Whether it is an ApiError, with data of any type. */
export function isApiError(error: unknown): error is ApiError<never> {
  return error instanceof ApiError;
}
