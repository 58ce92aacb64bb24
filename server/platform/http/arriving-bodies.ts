import { ApiError, errors } from "../../../api/errors.ts";
import { type Listed, UnorderedList } from "./unordered-list.ts";

export interface BodyLimits {
  /** The most bytes of unfinished bodies in memory, of all connections of this process. */
  total: number;
  /** The same for the connections of one address, or of one IPv6 network. */
  perNetwork: number;
  /** In every period this many bytes must arrive, or the body is given up. */
  periodMs: number;
  bytesPerPeriod: number;
}

/** A kilobyte a second is less than any line that people use. */
export const defaultBodyLimits: BodyLimits = {
  total: 64 * 1024 * 1024,
  perNetwork: 4 * 1024 * 1024,
  periodMs: 10_000,
  bytesPerPeriod: 10 * 1024,
};

/** A large file must not arrive for minutes from somebody whose session or account has ended. */
const LOOK_MS = 500;

/** A body of which more is to come. */
export interface ArrivingBody extends Listed {
  /** The bytes that have arrived. */
  readonly length: number;
  /** When the current period began, and the length at that time. */
  periodStartedAt: number;
  periodStartLength: number;
  /** Throws once its sender may not send it any more. Absent where that is asked at its end alone. */
  readonly checkSender?: (() => void) | undefined;
  /** Stops reading and responds with the error. */
  giveUp(error: unknown): void;
}

/**
 * The bodies that are arriving, on all connections. Together they have a budget of memory, and each must
 * arrive at a minimum rate. Without either, clients that never finish would fill the memory. A file ends with
 * its sender's right to send it.
 */
export class ArrivingBodies {
  readonly #limits: BodyLimits;
  readonly #all = new UnorderedList<ArrivingBody>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#timer = setInterval(() => this.#look(), Math.min(limits.periodMs / 10, LOOK_MS)).unref();
  }

  /** In memory now. */
  get bytes(): number {
    return this.#bytes;
  }

  add(body: ArrivingBody): void {
    this.#all.add(body);
  }

  remove(body: ArrivingBody): void {
    this.#all.delete(body);
  }

  /** Takes memory for a whole body that waits to be parsed. Throws if too much is taken by all. */
  takeWhole(bytes: number): void {
    if (this.#bytes + bytes > this.#limits.total) throw new ApiError(errors.tooManyBodies);
    this.#bytes += bytes;
  }

  giveBackWhole(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** Takes memory for bytes that arrived. Throws if too much is taken, by all or by this network. */
  take(network: string, bytes: number): void {
    const ofNetwork = (this.#bytesOf.get(network) ?? 0) + bytes;
    if (ofNetwork > this.#limits.perNetwork) throw new ApiError(errors.rateLimitHit, { retryAfter: 1 });
    if (this.#bytes + bytes > this.#limits.total) throw new ApiError(errors.tooManyBodies);
    this.#bytesOf.set(network, ofNetwork);
    this.#bytes += bytes;
  }

  giveBack(network: string, bytes: number): void {
    const left = (this.#bytesOf.get(network) ?? 0) - bytes;
    if (left > 0) this.#bytesOf.set(network, left);
    else this.#bytesOf.delete(network);
    this.#bytes -= bytes;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = Date.now();
    for (const body of this.#all) {
      try {
        body.checkSender?.();
      } catch (error) {
        body.giveUp(error);
        continue;
      }
      // The first look begins the first period, so that no body costs a look at the clock.
      if (body.periodStartedAt === 0) {
        body.periodStartedAt = now;
      } else if (now - body.periodStartedAt >= this.#limits.periodMs) {
        if (body.length - body.periodStartLength < this.#limits.bytesPerPeriod) {
          body.giveUp(new ApiError(errors.requestTimeout));
        } else {
          body.periodStartedAt = now;
          body.periodStartLength = body.length;
        }
      }
    }
  }
}
