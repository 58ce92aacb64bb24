import type { IncomingMessage } from "node:http";
import { isLoopbackName } from "./host.ts";
import { TrustedProxies } from "./trusted-proxies.ts";

const HOUR_MS = 3600_000;
/**
 * Where the operator's proxies are. Anybody on the Internet may send the header of a proxy, and a sentence
 * about that sender would ask the operator to believe it.
 */
const NEARBY = ["127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"];

export interface UnnamedProxiesOptions {
  /** The URL under which people reach the server. */
  publicUrl: string | undefined;
  /** Those that are named. */
  proxies: TrustedProxies | undefined;
  log: { warn(sentence: string): void };
  now?: () => number;
}

/** Notices a proxy that nobody named, and says once in an hour which setting is missing. */
export class UnnamedProxies {
  readonly #options: UnnamedProxiesOptions;
  readonly #now: () => number;
  readonly #nearby = new TrustedProxies(NEARBY);
  /** People who reach the server at a loopback name have no other machine between. */
  readonly #isExpected: boolean;
  #silentUntil = 0;

  constructor(options: UnnamedProxiesOptions) {
    const { publicUrl, now = Date.now } = options;
    this.#options = options;
    this.#now = now;
    this.#isExpected = publicUrl !== undefined && !isLoopbackName(new URL(publicUrl).hostname);
  }

  /** Call it with the headers that were sent. */
  look({ headers, socket }: IncomingMessage): void {
    if (headers["x-forwarded-for"] === undefined || !this.#isExpected) return;
    if (this.#now() < this.#silentUntil) return;
    const sender = socket.remoteAddress ?? "";
    if (this.#options.proxies?.includes(sender) || !this.#nearby.includes(sender)) return;
    this.#silentUntil = this.#now() + HOUR_MS;
    this.#options.log.warn(
      `A request came through a proxy at ${sender}, which PARLEY_TRUSTED_PROXIES does not name. So the addresses that it tells are not believed, and all people together have the limits of one. Add ${sender} to PARLEY_TRUSTED_PROXIES, and restart.`,
    );
  }
}
