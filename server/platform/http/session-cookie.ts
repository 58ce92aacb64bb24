import type { IncomingHttpHeaders } from "node:http";
import { MAX_SESSION_DAYS } from "../../../api/limits.ts";
import { deviceName } from "./device-name.ts";

const SESSION_NAME = "parley-session";
const SIGN_IN_NAME = "parley-sign-in";
const MAX_AGE_SECONDS = MAX_SESSION_DAYS * 86_400;
/** How long a browser keeps the cookie of a sign-in that is not finished. */
const SIGN_IN_SECONDS = 600;
/** The longest header that is looked at. Browsers send some hundred bytes. */
const MAX_HEADER = 16 * 1024;

interface CookieKind {
  name: string;
  maxAge: number;
  sameSite: "Lax" | "Strict";
}

/**
 * A cookie with a random token: the one that came with a request, and what the response sets. Only the name
 * that fits the address counts, so a page over plain http can't pass a token on to https.
 */
export class TokenCookie {
  readonly #headers: IncomingHttpHeaders;
  readonly #isSecure: boolean;
  readonly #kind: CookieKind;
  #header: string | undefined;

  /** `origin` is the organization's own. */
  constructor(headers: IncomingHttpHeaders, origin: string, kind: CookieKind) {
    this.#headers = headers;
    this.#isSecure = origin.startsWith("https:");
    this.#kind = kind;
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

  /** A script can't read the cookie. */
  set(token: string): void {
    this.#header = `${this.#name}=${token}; Path=/; Max-Age=${this.#kind.maxAge}; ${this.#attributes}`;
  }

  clear(): void {
    this.#header = `${this.#name}=; Path=/; Max-Age=0; ${this.#attributes}`;
  }

  /** The Set-Cookie header of the response. undefined: the browser's cookie stays as it is. */
  get header(): string | undefined {
    return this.#header;
  }

  /** The prefix makes browsers take the cookie from this host alone, over https, for all its paths. */
  get #name(): string {
    return this.#isSecure ? `__Host-${this.#kind.name}` : this.#kind.name;
  }

  get #attributes(): string {
    return `HttpOnly; SameSite=${this.#kind.sameSite}${this.#isSecure ? "; Secure" : ""}`;
  }
}

/** The cookie of a browser's session. Other sites send it only with links that people follow. */
export class SessionCookie extends TokenCookie {
  readonly #headers: IncomingHttpHeaders;
  readonly #origin: string;
  readonly #mayStart: boolean;
  #signIn: TokenCookie | undefined;

  /** `mayStart`: whether the response may sign the browser in. */
  constructor(headers: IncomingHttpHeaders, origin: string, { mayStart = true } = {}) {
    super(headers, origin, { name: SESSION_NAME, maxAge: MAX_AGE_SECONDS, sameSite: "Lax" });
    this.#headers = headers;
    this.#origin = origin;
    this.#mayStart = mayStart;
  }

  override set(token: string): void {
    if (!this.#mayStart) throw new Error("a page that does not declare it may not sign anybody in");
    super.set(token);
  }

  /** For the session that the browser has already. */
  renew(token: string): void {
    super.set(token);
  }

  /** The browser and the system that the request names, for people. */
  get device(): string {
    return deviceName(this.#headers["user-agent"]);
  }

  /** Another cookie: what binds a sign-in of several steps to the browser in which it began. */
  get signIn(): TokenCookie {
    this.#signIn ??= new TokenCookie(this.#headers, this.#origin, {
      name: SIGN_IN_NAME,
      maxAge: SIGN_IN_SECONDS,
      sameSite: "Strict",
    });
    return this.#signIn;
  }

  /** The Set-Cookie headers of the response. */
  get changes(): readonly string[] {
    return [this.header, this.#signIn?.header].filter((each) => each !== undefined);
  }
}

/** The value of the cookie under any name, valid or not. Nothing may be decided by it. */
export function uncheckedSession({ cookie }: IncomingHttpHeaders): string | undefined {
  return new RegExp(`${SESSION_NAME}=([^;]+)`).exec(cookie ?? "")?.[1];
}

/** Whether the request has a cookie of this kind under any name. */
export function hasSessionCookie({ cookie }: IncomingHttpHeaders): boolean {
  return cookie?.includes(`${SESSION_NAME}=`) ?? false;
}
