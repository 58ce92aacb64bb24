import type { IncomingMessage } from "node:http";

const HOUR_MS = 3600_000;
/** Shorter ones are closed tabs, and longer ones get a heartbeat before. */
const CUT_MS = { least: 5_000, most: 44_000 };
/** Polls that were cut off: how many are kept, and how many must have lasted the same, give or take this. */
const CUTS = { looked: 20, same: 10, exactMs: 400 };

type Fault = "client" | "scheme" | "time limit";

export interface ProxyFaultsOptions {
  /** The URL under which people reach the server. */
  publicUrl: string;
  log: { warn(sentence: string): void };
  now?: () => number;
}

/**
 * Notices what a trusted proxy leaves out or cuts off, though the requests are answered, and says once in an
 * hour which line its settings lack. `ForwardedHosts` notices a wrong host name.
 */
export class ProxyFaults {
  readonly #url: URL;
  readonly #log: ProxyFaultsOptions["log"];
  readonly #now: () => number;
  readonly #saidAt = new Map<Fault, number>();
  #cuts: number[] = [];

  constructor({ publicUrl, log, now = Date.now }: ProxyFaultsOptions) {
    this.#url = new URL(publicUrl);
    this.#log = log;
    this.#now = now;
  }

  /** Whether people sent the request. Commands and probes use other names, such as a loopback one. */
  isForPeople({ headers }: IncomingMessage): boolean {
    return headers.host === this.#url.host;
  }

  /** A request of people came from a proxy. Call it with the headers that the proxy sent. */
  look(raw: IncomingMessage): void {
    const { headers } = raw;
    const proxy = raw.socket.remoteAddress;
    if (headers["x-forwarded-for"] === undefined) {
      this.#say(
        "client",
        `The proxy ${proxy} does not say from which addresses requests come, so all people together have the limits of one. Let it set X-Forwarded-For, in nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`,
      );
    }
    if (this.#url.protocol === "https:" && headers["x-forwarded-proto"] === "http") {
      this.#say(
        "scheme",
        `The proxy ${proxy} says that ${this.#url.host} was asked for without TLS. Let it redirect http to https. If another proxy in front of it speaks TLS, let this one pass its X-Forwarded-Proto on.`,
      );
    }
  }

  /** A held request was closed from outside after so many milliseconds. */
  noteCut(lastedMs: number): void {
    if (lastedMs < CUT_MS.least || lastedMs > CUT_MS.most) return;
    this.#cuts.push(lastedMs);
    if (this.#cuts.length > CUTS.looked) this.#cuts.shift();
    const same = this.#cuts.filter((ms) => Math.abs(ms - lastedMs) <= CUTS.exactMs);
    if (same.length < CUTS.same) return;
    this.#cuts = [];
    const seconds = Math.round(lastedMs / 1000);
    this.#say(
      "time limit",
      `Requests that wait for events are cut off after ${seconds} s, again and again. Let the proxy wait for 90 s at least, in nginx: proxy_read_timeout 90s;`,
    );
  }

  #say(fault: Fault, sentence: string): void {
    const now = this.#now();
    if (now - (this.#saidAt.get(fault) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return;
    this.#saidAt.set(fault, now);
    this.#log.warn(sentence);
  }
}
