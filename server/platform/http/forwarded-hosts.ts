import type { IncomingMessage } from "node:http";
import { type Host, isLoopbackName } from "./host.ts";

const HOUR_MS = 3600_000;
/** Strangers who look for open servers make up names. So many are logged in an hour. */
const MAX_NAMES = 20;

export interface ForwardedHostsOptions {
  /** The URL under which people reach the server. undefined: no host is unexpected. */
  publicUrl: string | undefined;
  /** Whether proxies are trusted. Others say nothing that counts. */
  hasProxies: boolean;
  log: { warn(sentence: string): void };
  now?: () => number;
}

/**
 * Notices a proxy that does not pass the Host header on. Such a proxy asks for its own upstream, often a
 * loopback name, and people of all organizations would get the first one. Requests without a proxy are left
 * alone: commands and probes call the loopback address.
 */
export class ForwardedHosts {
  /** undefined: nothing is unexpected. */
  readonly #publicHost: string | undefined;
  readonly #log: ForwardedHostsOptions["log"];
  readonly #now: () => number;
  #logged = new Set<string>();
  #endsAt = 0;

  constructor({ publicUrl, hasProxies, log, now = Date.now }: ForwardedHostsOptions) {
    const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
    // People who reach the server at a loopback name have no other machine between.
    const isExpected = hasProxies && publicHost !== undefined && !isLoopbackName(publicHost);
    this.#publicHost = isExpected ? publicHost : undefined;
    this.#log = log;
    this.#now = now;
  }

  /** Whether the request came through a trusted proxy under a name that is not people's. */
  isHidden(raw: IncomingMessage, { isLoopback }: Host): boolean {
    return isLoopback && this.#isForwarded(raw);
  }

  /** Logs a request that reaches no organization, once in an hour for each host. */
  note(raw: IncomingMessage, { name, isLoopback }: Host): void {
    if (name === "" || !this.#isForwarded(raw)) return;
    if (this.#now() >= this.#endsAt) {
      this.#logged = new Set();
      this.#endsAt = this.#now() + HOUR_MS;
    }
    // The few loopback names are the operator's own fault, so no stranger's names may hide them.
    if (this.#logged.has(name) || (!isLoopback && this.#logged.size >= MAX_NAMES)) return;
    this.#logged.add(name);
    const proxy = raw.socket.remoteAddress;
    const fault = `A request came through the proxy ${proxy} under the host name '${name}', which has no organization`;
    const line = "in nginx: proxy_set_header Host $host;";
    this.#log.warn(
      isLoopback
        ? `${fault}: people use ${this.#publicHost}. Let the proxy pass the Host header on, ${line}`
        : `${fault}. If people use ${this.#publicHost}, let the proxy pass the Host header on, ${line}`,
    );
  }

  /** The header has been settled: only a trusted proxy leaves one. */
  #isForwarded({ headers }: IncomingMessage): boolean {
    return this.#publicHost !== undefined && headers["x-forwarded-for"] !== undefined;
  }
}
