/**
 * State changes that many people make at the same moment, each for themselves, such as a class that joins a
 * channel at nine. Those that wait are one transaction under the state lock. Memory is exact there, so each
 * request is decided by it for its caller alone, and the verb makes all of them as if one person had asked
 * for all. So they have the statements, the entries and the hooks of one change.
 *
 * The commit takes its turn among those of the node (`log-writer.ts`), so it makes no message be checked
 * again.
 */

import type { LockedSession } from "../db/database.ts";
import { DatabaseUnavailable, OutcomeUnknown } from "../db/database-unavailable.ts";
import { isServerBusy, ServerBusy } from "../db/server-busy.ts";
import { type Change, runInSession } from "./change.ts";
import { logWriterOf, MAX_WAITING_CHANGES } from "./log-writer.ts";
import type { OrganizationState } from "./organization-state.ts";
import { stateChangesOf } from "./state-change-queue.ts";
import { WaitingChanges, type WaitingRequest } from "./waiting-changes.ts";

const MAX_WAIT_MS = 10_000;

/** `R`: what one caller asks. `D`: what is decided about it. `A`: the answer. */
export interface GroupedStateChange<R, D, A> {
  /** Two requests with a key in common are not in one group. */
  keysOf(request: R): readonly string[];
  /** How much the request adds to its group, in characters: see `WaitingChanges`. */
  sizeOf(request: R): number;
  /** Decides by memory, which is exact. Throws ApiError for this caller alone, and NotForGroup. */
  decide(request: R): D;
  /**
   * Makes all that was decided, and returns the answers in the same order. It may run more than once. At the
   * end it must hold no row that other commits write.
   */
  make(tx: Change, decided: readonly D[]): Promise<readonly A[]>;
}

type AnyStateChange = GroupedStateChange<unknown, unknown, unknown>;

/** Exactly one of `resolve` and `reject` is called. */
interface Waiting extends WaitingRequest {
  resolve(answer: unknown): void;
}

const groups = new WeakMap<OrganizationState, Map<AnyStateChange, StateChangeGroups>>();

/**
 * Makes a state change together with others. `person`: whose it is, since people take turns. Resolves when
 * this node's memory has the change. Throws what `decide` throws, and as `runStateChange` does.
 */
export async function runGroupedStateChange<R, D, A>(
  state: OrganizationState,
  kind: GroupedStateChange<R, D, A>,
  person: number,
  request: R,
): Promise<A> {
  const kinds = groups.get(state) ?? new Map<AnyStateChange, StateChangeGroups>();
  groups.set(state, kinds);
  const known = kinds.get(kind as AnyStateChange) ?? new StateChangeGroups(state, kind as AnyStateChange);
  kinds.set(kind as AnyStateChange, known);
  return (await known.add(person, request)) as A;
}

interface Decided {
  waiting: Waiting;
  decision: unknown;
}

class StateChangeGroups {
  readonly #state: OrganizationState;
  readonly #kind: AnyStateChange;
  readonly #waiting = new WaitingChanges<Waiting>();
  #unanswered = 0;
  /** Whether a group has a place in the queue of state changes. It is filled when its turn comes. */
  #isQueued = false;

  constructor(state: OrganizationState, kind: AnyStateChange) {
    this.#state = state;
    this.#kind = kind;
  }

  add(person: number, request: unknown): Promise<unknown> {
    if (this.#unanswered >= MAX_WAITING_CHANGES) {
      throw new ServerBusy("too many changes of the organization are waiting");
    }
    const answered = new Promise((resolve, reject) => {
      const keys = this.#kind.keysOf(request);
      const size = this.#kind.sizeOf(request);
      this.#waiting.add({ request, person, keys, size, askedAt: performance.now(), resolve, reject });
    });
    this.#unanswered++;
    this.#enqueue();
    return answered.finally(() => {
      this.#unanswered--;
    });
  }

  #enqueue(): void {
    if (this.#isQueued || this.#waiting.isEmpty) return;
    this.#isQueued = true;
    // Requests that arrived in the same turn of the event loop join.
    setImmediate(() => void this.#runNext());
  }

  async #runNext(): Promise<void> {
    let group: Waiting[] | undefined;
    try {
      await stateChangesOf(this.#state).run((session) => {
        group = this.#take();
        return this.#run(session, group);
      });
    } catch (error) {
      for (const { reject } of group ?? this.#take()) reject(error);
    }
  }

  /** What comes later is for the next group, which queues up behind what waits already. */
  #take(): Waiting[] {
    const group = this.#waiting.take(new Set());
    this.#isQueued = false;
    this.#enqueue();
    return group;
  }

  async #run(session: LockedSession, group: readonly Waiting[]): Promise<void> {
    const decided: Decided[] = [];
    for (const waiting of group) {
      try {
        if (performance.now() - waiting.askedAt > MAX_WAIT_MS)
          throw new ServerBusy("the change waited too long");
        decided.push({ waiting, decision: this.#kind.decide(waiting.request) });
      } catch (error) {
        waiting.reject(error);
      }
    }
    await this.#make(session, decided);
  }

  /** Never throws. What makes a group fail gets its error alone. */
  async #make(session: LockedSession, decided: readonly Decided[]): Promise<void> {
    if (decided.length === 0) return;
    const decisions = decided.map(({ decision }) => decision);
    try {
      const answers = await runInSession(
        this.#state,
        session,
        (tx) => this.#kind.make(tx, decisions),
        () => logWriterOf(this.#state).turn(),
      );
      decided.forEach(({ waiting }, index) => {
        waiting.resolve(answers[index]);
      });
    } catch (error) {
      if (decided.length === 1 || !isFaultOfOne(error)) {
        for (const { waiting } of decided) waiting.reject(error);
        return;
      }
      const middle = Math.ceil(decided.length / 2);
      await this.#make(session, decided.slice(0, middle));
      await this.#make(session, decided.slice(middle));
    }
  }
}

function isFaultOfOne(error: unknown): boolean {
  return (
    !isServerBusy(error) && !(error instanceof OutcomeUnknown) && !(error instanceof DatabaseUnavailable)
  );
}
