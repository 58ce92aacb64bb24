import type { IncomingHttpHeaders } from "node:http";
import { MAX_SESSION_DAYS } from "../../../api/limits.ts";
import { deviceName } from "./device-name.ts";

/** The prefix makes browsers take the cookie from this host alone, over https, for all its paths. */
const SECURE_NAME = "__Host-parley-session";
const PLAIN_NAME = "parley-session";
const MAX_AGE_SECONDS = MAX_SESSION_DAYS * 86_400;
/** The longest header that is looked at. Browsers send some hundred bytes. */
const MAX_HEADER = 16 * 1024;

/**
 * The cookie of a browser's session: the token that came with a request, and what the response sets. Only
 * the name that fits the address counts, so a page over plain http can't pass a token on to https.
 */
export class SessionCookie {
  readonly #headers: IncomingHttpHeaders;
  readonly #isSecure: boolean;
  #header: string | undefined;

  /** `origin` is the organization's own. */
  constructor(headers: IncomingHttpHeaders, origin: string) {
    this.#headers = headers;
    this.#isSecure = origin.startsWith("https:");
  }

  get token(): string | undefined {
    const header = this.#headers.cookie;
    if (header === undefined || header.length > MAX_HEADER) return undefined;
    const start = `${this.#name}=`;
    for (const part of header.split(";")) {
      const pair = part.trim();
      if (pair.startsWith(start)) return pair.slice(start.length);
    }
    return undefined;
  }

  /** The browser and the system that the request names, for people. */
  get device(): string {
    return deviceName(this.#headers["user-agent"]);
  }

  /** A script can't read the cookie. Other sites send it only with links that people follow. */
  set(token: string): void {
    this.#header = `${this.#name}=${token}; Path=/; Max-Age=${MAX_AGE_SECONDS}; ${this.#attributes}`;
  }

  clear(): void {
    this.#header = `${this.#name}=; Path=/; Max-Age=0; ${this.#attributes}`;
  }

  /** The Set-Cookie header of the response. undefined: the browser's cookie stays as it is. */
  get header(): string | undefined {
    return this.#header;
  }

  get #name(): string {
    return this.#isSecure ? SECURE_NAME : PLAIN_NAME;
  }

  get #attributes(): string {
    return `HttpOnly; SameSite=Lax${this.#isSecure ? "; Secure" : ""}`;
  }
}

/** Whether the request has a cookie of this kind under any name. */
export function hasSessionCookie({ cookie }: IncomingHttpHeaders): boolean {
  return cookie?.includes(`${PLAIN_NAME}=`) ?? false;
}
