/**
 * Fetches what other hosts serve to everybody. Redirects are followed here, a few of them, and each leads to
 * a new call of `outbound-http`, which checks the new address. The server's own hosts are never asked: what
 * they serve depends on who asks.
 */
import {
  OutboundError,
  type OutboundFailure,
  type OutboundHttp,
  type OutboundResponse,
  type ResponseHead,
} from "../../platform/outbound-http/outbound-http.ts";
import { ownVersion } from "../../version.ts";
import { isOutsideUrl } from "./addresses.ts";
import { type FetchTurns, TurnsTaken } from "./turns.ts";

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const USER_AGENT = `Mozilla/5.0 (compatible; Parley/${ownVersion}; previews)`;

export type FetchFailure =
  | OutboundFailure
  /** The host answered with another status than success. */
  | "status"
  /** It redirected too often, or to nowhere. */
  | "redirect"
  /** It is not of a type that was asked for, or is compressed. */
  | "type";

export class FetchError extends Error {
  override name = "FetchError";
  readonly failure: FetchFailure;

  constructor(failure: FetchFailure) {
    super(`fetching from another host failed: ${failure}`);
    this.failure = failure;
  }
}

export interface FetchParts {
  outbound: OutboundHttp;
  turns: FetchTurns;
  /** Whether a host name is one of this server's. */
  isOwnHost(host: string): Promise<boolean>;
}

export interface FetchOptions {
  /** For the header `Accept`. */
  accept: string;
  hasType(contentType: string): boolean;
  maxBytes: number;
  /** Whether a longer answer is cut. Otherwise it is a failure. */
  isCut: boolean;
  headMs: number;
  /** The time for all redirects together. */
  timeoutMs: number;
  /** Whether nobody waits for it. */
  isInBackground: boolean;
}

export interface Fetched {
  /** Where it was in the end. */
  url: string;
  contentType: string;
  body: Buffer;
}

/** Throws FetchError. */
export async function fetchOutside(
  { outbound, turns, isOwnHost }: FetchParts,
  organizationId: number,
  url: string,
  options: FetchOptions,
): Promise<Fetched> {
  try {
    return await turns.run(organizationId, hostOf(url), async () => {
      const signal = AbortSignal.timeout(options.timeoutMs);
      let at = url;
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
        if (await isOwnHost(hostOf(at))) throw new FetchError("blocked");
        const response = await outbound.request(organizationId, at, {
          method: "GET",
          headers: { accept: options.accept, "user-agent": USER_AGENT },
          timeoutMs: options.timeoutMs,
          headTimeoutMs: options.headMs,
          maxResponseBytes: options.maxBytes,
          isCut: options.isCut,
          isInBackground: options.isInBackground,
          wantsBody: (head) => isWanted(head, options),
          signal,
        });
        const next = redirectOf(at, response);
        if (next === undefined) return checked(at, response, options);
        at = next;
      }
      throw new FetchError("redirect");
    });
  } catch (error) {
    if (error instanceof TurnsTaken) throw new FetchError("busy");
    throw error instanceof OutboundError ? new FetchError(error.failure) : error;
  }
}

function hostOf(url: string): string {
  if (!isOutsideUrl(url)) throw new FetchError("bad-address");
  return new URL(url).hostname;
}

/** Where the answer sends the caller; undefined for an answer that stands for itself. */
function redirectOf(from: string, { status, headers }: ResponseHead): string | undefined {
  if (!REDIRECTS.has(status)) return undefined;
  const { location } = headers;
  if (location === undefined || !URL.canParse(location, from)) throw new FetchError("redirect");
  return new URL(location, from).href;
}

function isWanted({ status, headers }: ResponseHead, { hasType }: FetchOptions): boolean {
  return isSuccess(status) && !isCompressed(headers) && hasType(typeOf(headers));
}

function checked(url: string, { status, headers, body }: OutboundResponse, options: FetchOptions): Fetched {
  if (!isSuccess(status)) throw new FetchError("status");
  if (!isWanted({ status, headers }, options)) throw new FetchError("type");
  return { url, contentType: headers["content-type"] ?? "", body };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Nobody asked for compression, and a few kilobytes can hold gigabytes. */
function isCompressed(headers: ResponseHead["headers"]): boolean {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  return encoding !== "" && encoding !== "identity";
}

/** Without its parameters, in lower case. */
function typeOf(headers: ResponseHead["headers"]): string {
  return (headers["content-type"] ?? "").split(";", 1).join("").trim().toLowerCase();
}
