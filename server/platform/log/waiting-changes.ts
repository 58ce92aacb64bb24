import type { AnyGroupedChange } from "./grouped-change.ts";

/** A larger group gains nothing and holds its locks longer. */
export const MAX_GROUP = 256;
/** How many characters the requests of a group may write. */
const MAX_GROUP_CHARS = 256 * 1024;
/** A person who changes things in a loop leaves room for the others of a group. */
const MAX_OF_ONE = 16;
/** How many of one person's requests are looked at for one that may go. */
const MAX_LOOKED_AT = 64;

/** A request that waits for its turn in a group. */
export interface WaitingRequest {
  readonly request: unknown;
  readonly person: number;
  readonly keys: readonly string[];
  readonly size: number;
  readonly askedAt: number;
  reject(error: unknown): void;
}

/** A request of a kind, until its caller has the answer. Exactly one of `resolve` and `reject` is called. */
export interface WaitingChange extends WaitingRequest {
  readonly kind: AnyGroupedChange;
  /** How often the memory had changed when it was to be written. */
  refusals: number;
  /** How often it was rolled back for others to go on. */
  rollbacks: number;
  /** How often others held its rows. */
  blockings: number;
  resolve(answer: unknown): void;
}

/** The changes of one organization that wait for a group. People take turns. */
export class WaitingChanges<T extends WaitingRequest = WaitingChange> {
  /** The person whose turn it was last comes last. */
  readonly #byPerson = new Map<number, T[]>();

  get isEmpty(): boolean {
    return this.#byPerson.size === 0;
  }

  add(change: T): void {
    const own = this.#byPerson.get(change.person);
    if (own) own.push(change);
    else this.#byPerson.set(change.person, [change]);
  }

  /** Puts a change back that had its turn. */
  putBack(change: T): void {
    const own = this.#byPerson.get(change.person);
    if (own) own.unshift(change);
    else this.#byPerson.set(change.person, [change]);
  }

  /**
   * Takes the next group, in which no two changes have a key in common, and none has one of `busy`. The
   * changes of one person with one key keep their order.
   */
  take(busy: ReadonlySet<string>): T[] {
    const group: T[] = [];
    const keys = new Set(busy);
    const counts = new Map<number, number>();
    let size = 0;
    let passedOver = 0;
    // A person with more changes comes again at the end, so the loop goes round.
    for (const [person, own] of this.#byPerson) {
      if (group.length === MAX_GROUP || passedOver === this.#byPerson.size) break;
      const count = counts.get(person) ?? 0;
      const index = count < MAX_OF_ONE ? firstFree(own, keys) : -1;
      const next = own[index];
      if (next && size + next.size > MAX_GROUP_CHARS && group.length > 0) break;
      this.#byPerson.delete(person);
      if (next) {
        own.splice(index, 1);
        for (const key of next.keys) keys.add(key);
        group.push(next);
        size += next.size;
        counts.set(person, count + 1);
      }
      if (own.length > 0) this.#byPerson.set(person, own);
      passedOver = next ? 0 : passedOver + 1;
    }
    return group;
  }
}

/** The keys of those before it are taken too: what came later must not overtake them. */
function firstFree(own: readonly WaitingRequest[], keys: Set<string>): number {
  const most = Math.min(own.length, MAX_LOOKED_AT);
  for (let index = 0; index < most; index++) {
    const change = own[index] as WaitingRequest;
    if (!change.keys.some((key) => keys.has(key))) return index;
    for (const key of change.keys) keys.add(key);
  }
  return -1;
}
