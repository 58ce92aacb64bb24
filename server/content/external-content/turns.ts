import { WorkQueue } from "../../platform/std/work-queue.ts";

/** What may be fetched at the same time, and what may wait. */
export interface TurnLimits {
  total: number;
  perOrganization: number;
  perHost: number;
  waiting: number;
}

/** The answers are held in memory, so `total` bounds that too. */
const LIMITS: TurnLimits = { total: 8, perOrganization: 4, perHost: 2, waiting: 64 };

/**
 * Fetches from other hosts in turn: for a host, for an organization, and for the process. A place of the host
 * is taken first, so that work for a slow host fills no more than its own places.
 */
export class FetchTurns {
  readonly #limits: TurnLimits;
  readonly #all: WorkQueue;
  readonly #byOrganization = new Map<string, WorkQueue>();
  readonly #byHost = new Map<string, WorkQueue>();

  constructor(limits: TurnLimits = LIMITS) {
    this.#limits = limits;
    this.#all = new WorkQueue(limits.total, limits.waiting);
  }

  /** Throws TurnsTaken if too many wait. */
  async run<T>(organizationId: number, host: string, work: () => Promise<T>): Promise<T> {
    const { perHost, perOrganization } = this.#limits;
    return this.#inTurn(this.#byHost, host, perHost, () =>
      this.#inTurn(this.#byOrganization, String(organizationId), perOrganization, () =>
        orRefuse(this.#all.run(work)),
      ),
    );
  }

  async #inTurn<T>(
    queues: Map<string, WorkQueue>,
    key: string,
    places: number,
    work: () => Promise<T>,
  ): Promise<T> {
    const queue = queues.get(key) ?? new WorkQueue(places, this.#limits.waiting);
    queues.set(key, queue);
    try {
      return await orRefuse(queue.run(work));
    } finally {
      if (queue.running === 0 && queues.get(key) === queue) queues.delete(key);
    }
  }
}

/** Nothing was sent. */
export class TurnsTaken extends Error {}

function orRefuse<T>(begun: Promise<T> | undefined): Promise<T> {
  return begun ?? Promise.reject(new TurnsTaken("too many fetches wait"));
}
