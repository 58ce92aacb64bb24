import type { IncomingHttpHeaders } from "node:http";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Expected } from "../../platform/oidc/open-id.ts";

/** A sign-in that is under way in a browser. */
export interface Flow extends Expected {
  /** The page of the organization to go to afterwards. */
  next: string;
  /** The code of the invitation by which somebody joins who has no account. */
  join: string | undefined;
  nativeApp: NativeApp | undefined;
}

/** An app that waits for the sign-in in a browser, and the 64 hexadecimal digits that it has made up. */
export interface NativeApp {
  kind: "mobile" | "desktop";
  otp: string;
}

/** What the cookie has: a sign-in that was begun, or the token of a step that must follow it. */
type Content = { flow: Flow } | { step: string };

/**
 * Another number for another form of `Flow`, or of what `steps.ts` keeps. Nodes of other releases then take
 * it for none, and the person begins again.
 */
export const FORM = 2;
const KIND = `sign-in ${FORM}` as const;

interface Sealed {
  kind: typeof KIND;
  organizationId: number;
  providerId: string;
  expiresAt: number;
  content: Content;
}

const SECURE_NAME = "__Host-parley-auth";
const PLAIN_NAME = "parley-auth";
const LIFE_SECONDS = 600;
const MAX_HEADER = 16 * 1024;

/**
 * The cookie of a sign-in that is under way. It binds the sign-in to the browser, the organization and the
 * provider: the text is encrypted, and a cookie of another of these counts as none.
 */
export class FlowCookie {
  readonly #keyring: Keyring;
  readonly #bound: { organizationId: number; providerId: string };
  readonly #isSecure: boolean;

  /** `origin` is the organization's own. */
  constructor(keyring: Keyring, origin: string, bound: { organizationId: number; providerId: string }) {
    this.#keyring = keyring;
    this.#bound = bound;
    this.#isSecure = origin.startsWith("https:");
  }

  /** A Set-Cookie header. Other sites send the cookie only with links and redirects that people follow. */
  header(content: Content): string {
    const sealed: Sealed = {
      kind: KIND,
      ...this.#bound,
      expiresAt: Date.now() + LIFE_SECONDS * 1000,
      content,
    };
    const text = this.#keyring.encrypt(JSON.stringify(sealed)).toString("base64url");
    return `${this.#name}=${text}; Path=/; Max-Age=${LIFE_SECONDS}; ${this.#attributes}`;
  }

  get clearing(): string {
    return `${this.#name}=; Path=/; Max-Age=0; ${this.#attributes}`;
  }

  flow(headers: IncomingHttpHeaders): Flow | undefined {
    const content = this.#read(headers);
    return content && "flow" in content ? content.flow : undefined;
  }

  step(headers: IncomingHttpHeaders): string | undefined {
    const content = this.#read(headers);
    return content && "step" in content ? content.step : undefined;
  }

  #read({ cookie = "" }: IncomingHttpHeaders): Content | undefined {
    const start = `${this.#name}=`;
    const pair =
      cookie.length > MAX_HEADER
        ? undefined
        : cookie
            .split(";")
            .map((part) => part.trim())
            .find((part) => part.startsWith(start));
    const sealed = pair === undefined ? undefined : this.#open(pair.slice(start.length));
    const isOwn =
      sealed?.kind === KIND &&
      sealed.organizationId === this.#bound.organizationId &&
      sealed.providerId === this.#bound.providerId &&
      sealed.expiresAt > Date.now();
    return isOwn ? sealed.content : undefined;
  }

  #open(text: string): Sealed | undefined {
    try {
      return JSON.parse(this.#keyring.decrypt(Buffer.from(text, "base64url"))) as Sealed;
    } catch {
      return undefined;
    }
  }

  get #name(): string {
    return this.#isSecure ? SECURE_NAME : PLAIN_NAME;
  }

  get #attributes(): string {
    return `HttpOnly; SameSite=Lax${this.#isSecure ? "; Secure" : ""}`;
  }
}
