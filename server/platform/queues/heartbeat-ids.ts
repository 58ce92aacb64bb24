import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../db/database.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { advanceHeads } from "../log/store.ts";

const AT_ONCE = 1000;
const RETRY_MS = 100;

interface Waiting {
  state: OrganizationState;
  /** Where memory was. Any later position will do. */
  after: number;
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Fresh ids for heartbeats: positions of the log without an entry. All organizations whose heartbeats are due
 * in a turn get theirs by one statement, so thousands at rest cost one commit a second, not one each.
 */
export class HeartbeatIds {
  readonly #database: Queryable;
  #waiting: Waiting[] = [];
  /** Those that were not asked for yet, which further queues of the organization share. */
  readonly #shared = new Map<OrganizationState, Waiting>();
  #isWorking = false;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Resolves when memory is at a later position than at the call. */
  next(state: OrganizationState): Promise<void> {
    let waiting = this.#shared.get(state);
    if (!waiting) {
      waiting = waitingFor(state);
      this.#shared.set(state, waiting);
      this.#waiting.push(waiting);
      if (!this.#isWorking) void this.#work();
    }
    return waiting.promise;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    await nextTurn();
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, AT_ONCE);
      for (const { state } of asked) this.#shared.delete(state);
      const left = await this.#advance(asked);
      this.#waiting.push(...left);
      if (left.length > 0) await sleep(RETRY_MS, undefined, { ref: false });
    }
    this.#isWorking = false;
  }

  /** Returns those whose log another transaction is writing to. Their position is likely to move by that. */
  async #advance(asked: readonly Waiting[]): Promise<Waiting[]> {
    const due = asked.filter(({ state, after, resolve }) => {
      if (state.position > after) resolve();
      return state.position <= after;
    });
    if (due.length === 0) return [];
    try {
      const ids = new Set(due.map(({ state }) => state.organizationId));
      const heads = await advanceHeads(this.#database, [...ids]);
      return due.filter(({ state, resolve, reject }) => {
        const head = heads.get(state.organizationId);
        if (head !== undefined) state.headMoved(head).then(resolve, reject);
        return head === undefined;
      });
    } catch (error) {
      for (const { reject } of due) reject(error);
      return [];
    }
  }
}

function waitingFor(state: OrganizationState): Waiting {
  let resolve = () => {};
  let reject: Waiting["reject"] = () => {};
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { state, after: state.position, promise, resolve, reject };
}
