import type { LockedSession } from "../db/database.ts";
import { isLockTimeout, ServerBusy } from "../db/server-busy.ts";
import type { OrganizationState } from "./organization-state.ts";
import { headsOf, headsQuery, stateLock } from "./store.ts";

/** Changes that may wait in memory for one organization, and how long. */
const MAX_WAITING = 1000;
const MAX_WAIT_MS = 10_000;
/**
 * For how long changes may follow each other under one lock. Content changes and other nodes wait meanwhile.
 */
const MAX_LOCKED_MS = 100;

interface Waiting {
  askedAt: number;
  /** Never throws. */
  run(session: LockedSession): Promise<void>;
  reject(error: unknown): void;
}

const queues = new WeakMap<OrganizationState, StateChangeQueue>();

export function stateChangesOf(state: OrganizationState): StateChangeQueue {
  let queue = queues.get(state);
  if (!queue) {
    queue = new StateChangeQueue(state);
    queues.set(state, queue);
  }
  return queue;
}

/**
 * The state changes of one organization on this node. They run one after another under the state lock, on the
 * connection that holds it. Those that wait meanwhile share the lock. If each took it for itself, it would
 * wait each time for all content changes that came in between, and a class that joins at nine would queue.
 *
 * Changes wait here and not in PostgreSQL, where each would hold a connection.
 */
export class StateChangeQueue {
  readonly #state: OrganizationState;
  readonly #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(state: OrganizationState) {
    this.#state = state;
  }

  /** Whether changes wait for each other, so that memory changes again and again. */
  get isCrowded(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Resolves with the result of `change`. The organization's memory is exact while it runs. Throws ServerBusy
   * when too many changes wait, or this one waited too long.
   */
  run<T>(change: (session: LockedSession) => Promise<T>): Promise<T> {
    if (this.#waiting.length >= MAX_WAITING) {
      throw new ServerBusy("too many changes of the organization are waiting");
    }
    return new Promise((resolve, reject) => {
      const run = (session: LockedSession) => change(session).then(resolve, reject);
      this.#waiting.push({ askedAt: performance.now(), run, reject });
      if (!this.#isRunning) this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      try {
        await this.#runLocked();
      } catch (error) {
        if (!isLockTimeout(error) || this.#hasWaitedTooLong()) this.#waiting.shift()?.reject(error);
      }
    }
    this.#isRunning = false;
  }

  /** Whether the next change has. */
  #hasWaitedTooLong(): boolean {
    const next = this.#waiting[0];
    return next !== undefined && performance.now() - next.askedAt > MAX_WAIT_MS;
  }

  /** Throws if the lock was not granted. */
  async #runLocked(): Promise<void> {
    const state = this.#state;
    const { organizationId, database } = state;
    await database.lockedSession(
      stateLock(organizationId),
      headsQuery(organizationId),
      async (session, heads) => {
        await state.catchUpTo(headsOf(heads).head);
        const endsAt = performance.now() + MAX_LOCKED_MS;
        do {
          await this.#runNext(session);
        } while (this.#waiting.length > 0 && !session.isBroken && performance.now() < endsAt);
      },
    );
  }

  async #runNext(session: LockedSession): Promise<void> {
    const waitedTooLong = this.#hasWaitedTooLong();
    const next = this.#waiting.shift();
    if (waitedTooLong) next?.reject(new ServerBusy("the change waited too long"));
    else await next?.run(session);
  }
}
