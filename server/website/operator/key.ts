/** The operator's key: how it is compared, and the cookie of a browser in which it was given. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { TokenCookie } from "../../platform/http/session-cookie.ts";

const SECONDS = 12 * 3600;

export class OperatorKey {
  readonly #keyring: Keyring;
  readonly #key: string;

  constructor(keyring: Keyring, key: string) {
    this.#keyring = keyring;
    this.#key = key;
  }

  /** Takes as long for every text of a length. */
  matches(given: string): boolean {
    return timingSafeEqual(this.#keyring.hash(given), this.#keyring.hash(this.#key));
  }

  /** Signs the browser in. The value names its end, and ends too with another key or another secret. */
  start(cookie: TokenCookie, now = Date.now()): void {
    const endsAt = Math.floor(now / 1000) + SECONDS;
    cookie.set(`${endsAt}.${this.#sign(endsAt).toString("base64url")}`);
  }

  isSignedIn({ token = "" }: TokenCookie, now = Date.now()): boolean {
    const [, end, signature = ""] = /^(\d{1,12})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
    if (end === undefined || Number(end) * 1000 <= now) return false;
    return timingSafeEqual(Buffer.from(signature, "base64url"), this.#sign(Number(end)));
  }

  #sign(endsAt: number): Buffer {
    return this.#keyring.hash(`operator ${endsAt} ${this.#key}`);
  }
}

/** Other sites never send it, not even with a link. */
export function operatorCookie(headers: IncomingHttpHeaders, origin: string): TokenCookie {
  return new TokenCookie(headers, origin, { name: "parley-operator", maxAge: SECONDS, sameSite: "Strict" });
}

/** The key of `Authorization: Bearer KEY`; undefined: there is none. */
export function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S{1,1000})$/i.exec(authorization ?? "")?.[1];
}
