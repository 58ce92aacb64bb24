/**
 * One transaction for the changes of many callers, of any kinds, in two round trips: BEGIN with all locks and
 * reads, and all writes with the append and COMMIT. Between them each change is decided in memory, for its
 * caller alone. No savepoints: they cost more than all the rest of a change.
 */
import type { Position } from "../../../api/ids.ts";
import type { LastTransaction } from "../db/database.ts";
import type { Sql } from "../db/sql.ts";
import { allSettledOrThrow } from "../db/transaction.ts";
import { checkTurn } from "./commit-turn.ts";
import { EventList } from "./event-list.ts";
import {
  type AnyGroupedChange,
  type FoundRow,
  HeldRows,
  type HeldRowsOf,
  type LockedRow,
  NextGroup,
  type RowLocks,
} from "./grouped-change.ts";
import { type LogEntry, logEntry } from "./log-entry.ts";
import type { OrganizationState } from "./organization-state.ts";
import type { RowBatch } from "./row-batch.ts";
import { StaleMemory } from "./stale-memory.ts";
import {
  appendStatement,
  headsOf,
  headsQuery,
  type LogRange,
  type NewEvent,
  STALE_MEMORY,
  sharedStateLock,
} from "./store.ts";
import type { WaitingChange } from "./waiting-changes.ts";

interface Options {
  /**
   * Whether the group shares the lock of state changes, so that no change of the memory can refuse it. LOCK:
   * the state lock, shared, before any row.
   */
  isLocked: boolean;
  /** Whether it waits for rows that others hold. */
  waits: boolean;
}

/** The turn to commit, of which an organization has one on a node. */
export interface Turn {
  /** Resolves when nothing else of the organization is being committed by this node. */
  take(): Promise<void>;
  /** Rows that go along. */
  rows(): RowBatch | undefined;
}

/** A decision that is to be committed. */
interface Decided {
  change: WaitingChange;
  answer: unknown;
}

/** The positions that a group took: first those of the rows that went along, then those of its events. */
interface Committed {
  base: Position;
  eventBase: Position;
  head: Position;
  /** The positions of the rows. undefined: there are none, or memory had refused them. */
  rowRange: LogRange | undefined;
}

/** The changes of one kind, in the order of their arrival. */
interface OfKind {
  changes: WaitingChange[];
  found: FoundRow[][];
  shared: unknown;
  writes: unknown[];
}

export class ChangeGroup {
  readonly decided: Decided[] = [];
  /** What keeps a change from being made, which its caller is to see. */
  readonly refused = new Map<WaitingChange, unknown>();
  /** They must see what this group writes. */
  readonly later: WaitingChange[] = [];
  /** Others hold their rows. */
  readonly blocked: WaitingChange[] = [];
  /** The rows that went along, once the group has the turn. */
  rows: RowBatch | undefined;
  hasTurn = false;
  /** Which part of the transaction failed: locks, reads and writes of changes, the rows, or the append. */
  failedAt: "changes" | "rows" | "append" = "changes";
  committed: Committed | undefined;

  readonly #state: OrganizationState;
  readonly #changes: readonly WaitingChange[];
  readonly #options: Options;
  readonly #turn: Turn;
  readonly #kinds = new Map<AnyGroupedChange, OfKind>();
  readonly #events: NewEvent[] = [];
  /** In the order of their statements. */
  #locks: RowLocks[] = [];

  constructor(state: OrganizationState, changes: readonly WaitingChange[], options: Options, turn: Turn) {
    this.#state = state;
    this.#changes = changes;
    this.#options = options;
    this.#turn = turn;
  }

  /** Those that nothing was decided for when the group failed, or that were decided in vain. */
  get survivors(): WaitingChange[] {
    return this.#changes.filter((change) => !this.refused.has(change));
  }

  /** Throws StaleMemory if the memory has changed since the group was checked. */
  run(): Promise<void> {
    return this.#options.isLocked ? this.#runLocked() : this.#runChecked();
  }

  async #runChecked(): Promise<void> {
    const { stateHead, database } = this.#state;
    const lead = this.#reads();
    if (this.#kinds.size === 0) return;
    await database.transaction(
      async (tx, rows) => {
        if (this.#state.stateHead !== stateHead) throw new StaleMemory();
        await this.#decideAndCommit(tx, rows, stateHead);
      },
      { lead },
    );
  }

  async #runLocked(): Promise<void> {
    const { database, organizationId } = this.#state;
    const lead = [sharedStateLock(organizationId), headsQuery(organizationId)];
    await database.transaction(
      async (tx, [, heads]) => {
        await this.#state.catchUpTo(headsOf(heads).head);
        const reads = this.#reads();
        if (this.#kinds.size === 0) return;
        const rows = await allSettledOrThrow(reads.map((statement) => tx.query(statement)));
        await this.#decideAndCommit(tx, rows, undefined);
      },
      { lead },
    );
  }

  /** Checks the changes, and returns the statements that lock and read for those that may go on. */
  #reads(): Sql[] {
    const { organizationId } = this.#state;
    for (const change of this.#changes) {
      try {
        change.kind.check(change.request);
        this.#of(change.kind).changes.push(change);
      } catch (error) {
        this.refused.set(change, error);
      }
    }
    const locks = this.#collectLocks().map(({ rows, locked }) =>
      rows.statement(organizationId, locked, this.#options.waits),
    );
    const finds = this.#kindsInOrder().flatMap(([kind, { changes }]) => {
      const requests = changes.map(({ request }) => request);
      return kind.find ? [kind.find(organizationId, requests, this.#options.waits)] : [];
    });
    return [...locks, ...finds];
  }

  #collectLocks(): { rows: RowLocks; locked: LockedRow[] }[] {
    const byRows = new Map<RowLocks, LockedRow[]>();
    for (const [{ locks = [] }, { changes }] of this.#kindsInOrder()) {
      for (const { rows, of } of locks) {
        const locked = byRows.get(rows) ?? [];
        byRows.set(rows, locked);
        for (const { request } of changes) locked.push(...of(request));
      }
    }
    this.#locks = [...byRows.keys()];
    return [...byRows].map(([rows, locked]) => ({ rows, locked }));
  }

  #of(kind: AnyGroupedChange): OfKind {
    let own = this.#kinds.get(kind);
    if (!own) {
      own = { changes: [], found: [], shared: undefined, writes: [] };
      this.#kinds.set(kind, own);
    }
    return own;
  }

  #kindsInOrder(): [AnyGroupedChange, OfKind][] {
    return [...this.#kinds].sort(([one], [other]) => (one.name < other.name ? -1 : 1));
  }

  /** `rows`: what the statements of `#reads` gave. */
  async #decideAndCommit(
    tx: LastTransaction,
    rows: readonly (readonly unknown[])[],
    expectedStateHead: Position | undefined,
  ): Promise<void> {
    const held = rows.slice(0, this.#locks.length) as { id: number }[][];
    this.#noteBlocked(held);
    const heldOf: HeldRowsOf = (locks) => held[this.#locks.indexOf(locks)] ?? [];
    const found = rows.slice(this.#locks.length) as FoundRow[][];
    for (const [kind, own] of this.#kindsInOrder())
      this.#noteFound(kind, own, kind.find ? found.shift() : [], heldOf);
    this.#decideAll();
    if (this.#events.length > 0) await this.#commit(tx, expectedStateHead);
  }

  #noteBlocked(heldRows: readonly (readonly { id: number }[])[]): void {
    if (this.#options.waits) return;
    const held = new Map<RowLocks, Set<number>>();
    this.#locks.forEach((rows, index) => {
      held.set(rows, new Set(heldRows[index]?.map(({ id }) => id)));
    });
    for (const [{ locks = [] }, { changes }] of this.#kinds) {
      for (const change of changes) {
        const isHeld = locks.every(({ rows, of }) =>
          of(change.request).every(({ id }) => held.get(rows)?.has(id)),
        );
        if (!isHeld) this.blocked.push(change);
      }
    }
  }

  #noteFound(
    kind: AnyGroupedChange,
    own: OfKind,
    rows: readonly FoundRow[] | undefined,
    heldOf: HeldRowsOf,
  ): void {
    own.found = own.changes.map(() => []);
    for (const row of rows ?? []) own.found[row.number]?.push(row);
    own.shared = kind.share?.(rows ?? [], heldOf);
  }

  #decideAll(): void {
    const blocked = new Set(this.blocked);
    for (const [, { changes, found }] of this.#kindsInOrder()) {
      changes.forEach((change, index) => {
        if (!blocked.has(change)) this.#decide(change, found[index] as FoundRow[]);
      });
    }
  }

  #decide(change: WaitingChange, found: readonly FoundRow[]): void {
    const { kind, request } = change;
    const own = this.#of(kind);
    const list = new EventList(this.#state.parts);
    try {
      const { writes, answer } = kind.decide(request, found, own.shared, list);
      if (writes.length > 0 && list.events.length === 0) throw new Error("What is written is not announced.");
      own.writes.push(...writes);
      this.#events.push(...list.events);
      this.decided.push({ change, answer });
    } catch (error) {
      if (error instanceof NextGroup) this.later.push(change);
      else if (error instanceof HeldRows) this.blocked.push(change);
      else this.refused.set(change, error);
    }
  }

  async #commit(tx: LastTransaction, expectedStateHead: Position | undefined): Promise<void> {
    const { organizationId } = this.#state;
    const options = { rowCount: 0, positionRef: undefined, expectedStateHead };
    const append = await appendStatement(tx, organizationId, this.#events, options);
    const writes = this.#kindsInOrder().flatMap(([kind, own]) =>
      kind.write && own.writes.length > 0 ? [kind.write(organizationId, own.writes)] : [],
    );
    const askedAt = performance.now();
    await this.#turn.take();
    this.hasTurn = true;
    checkTurn(askedAt);
    if (expectedStateHead !== undefined && this.#state.stateHead !== expectedStateHead)
      throw new StaleMemory();
    this.rows = this.#turn.rows();
    await this.#send(tx, writes, append);
  }

  /** In one round trip. The log's row is locked by the last two statements alone. */
  async #send(tx: LastTransaction, writes: readonly Sql[], append: Sql): Promise<void> {
    const written = writes.map((statement) => tx.query(statement));
    const rows = this.rows && tx.query<LogRange>(this.rows.statement);
    const appended = tx.commitWith<LogRange>(append);
    const outcomes = await Promise.allSettled([...written, rows, appended]);
    // Those after the first that fails only fail because it did.
    const failed = outcomes.findIndex(({ status }) => status === "rejected");
    if (failed === -1) return this.#note((await appended)[0] as LogRange, (await rows)?.[0]);
    if (failed === outcomes.length - 1) this.failedAt = "append";
    else if (failed === outcomes.length - 2) this.failedAt = "rows";
    const { reason } = outcomes[failed] as PromiseRejectedResult;
    throw reason.code === STALE_MEMORY ? new StaleMemory() : reason;
  }

  #note(range: LogRange, rowRange: LogRange | undefined): void {
    const base = rowRange?.base ?? range.base;
    this.committed = { base, head: range.head, eventBase: range.base, rowRange };
  }

  /** To be called after the commit. All entries, those of the rows first. */
  entries(): LogEntry[] {
    const { eventBase, rowRange } = this.committed as Committed;
    const entries = rowRange ? (this.rows as RowBatch).entriesFrom(rowRange) : [];
    this.#events.forEach(({ payload, audience, statePatch }, index) => {
      entries.push(logEntry((eventBase + index + 1) as Position, payload, audience, statePatch));
    });
    return entries;
  }
}
