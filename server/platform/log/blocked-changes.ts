/**
 * Small changes of one organization whose rows others hold. Nearly always those are held for one commit, so a
 * blocked change is tried again a few times without waiting. Then it waits, together only with changes that
 * need no other rows: a transaction that waits keeps what it has locked, and nobody may wait for that. While
 * one waits, all others are tried again and again.
 */
import type { RowLocks } from "./grouped-change.ts";
import { MAX_GROUP, type WaitingChange } from "./waiting-changes.ts";

/** How often a change is tried before it waits. */
const TRIES = 3;
/** Time to the second try, doubled for each after it. */
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 160;
/** How often to look for changes that are to be tried again, while some are blocked. */
export const RETRY_TICK_MS = FIRST_PAUSE_MS;

interface Blocked {
  change: WaitingChange;
  retryAt: number;
}

export class BlockedChanges {
  /** In the order in which they were blocked last. */
  #all: Blocked[] = [];

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  add(changes: readonly WaitingChange[]): void {
    const now = performance.now();
    for (const change of changes) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** change.blockings, LAST_PAUSE_MS);
      change.blockings++;
      this.#all.push({ change, retryAt: now + pause });
    }
  }

  /** Takes the first change that has had its tries, and others that wait for the same rows. */
  takeToWait(): WaitingChange[] {
    const first = this.#all.find(({ change }) => change.blockings >= TRIES);
    return first ? this.#take(({ change }) => locksNoMoreThan(change, first.change)) : [];
  }

  /** Takes changes that are to be tried again now. */
  takeToRetry(): WaitingChange[] {
    const now = performance.now();
    return this.#take(({ retryAt }) => retryAt <= now);
  }

  #take(isWanted: (blocked: Blocked) => boolean): WaitingChange[] {
    const taken = new Set(this.#all.filter(isWanted).slice(0, MAX_GROUP));
    this.#all = this.#all.filter((each) => !taken.has(each));
    return [...taken].map(({ change }) => change);
  }
}

function locksNoMoreThan({ kind, request }: WaitingChange, other: WaitingChange): boolean {
  return (kind.locks ?? []).every(({ rows, of }) => {
    const ids = lockedBy(other, rows);
    return of(request).every(({ id }) => ids.has(id));
  });
}

function lockedBy({ kind, request }: WaitingChange, locked: RowLocks): Set<number> {
  const own = (kind.locks ?? []).filter(({ rows }) => rows === locked);
  return new Set(own.flatMap(({ of }) => of(request).map(({ id }) => id)));
}
