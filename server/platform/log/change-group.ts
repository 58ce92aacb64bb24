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
import type { OwnRows, RowBatch } from "./row-batch.ts";
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

/**
 * The positions that a group took: those of the rows that went along, then those of its events, then those of
 * its own rows.
 */
interface Committed {
  base: Position;
  head: Position;
  /** undefined: no rows went along, or memory had refused them. */
  rowRange: LogRange | undefined;
  eventRange: LogRange | undefined;
  ownRange: LogRange | undefined;
}

/** What a group sends once it has the turn, in this order. */
interface LastStatements {
  writes: readonly Sql[];
  append: Sql | undefined;
  ownRows: Sql | undefined;
}

type Part = "changes" | "rows" | "append" | "ownRows";

/** The changes of one kind, in the order of their arrival. */
interface OfKind {
  changes: WaitingChange[];
  hasFind: boolean;
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
  /**
   * Which part of the transaction failed: locks, reads and writes of changes, the rows that went along, the
   * append, or the group's own rows.
   */
  failedAt: Part = "changes";
  committed: Committed | undefined;

  readonly #state: OrganizationState;
  readonly #changes: readonly WaitingChange[];
  readonly #options: Options;
  readonly #turn: Turn;
  readonly #kinds = new Map<AnyGroupedChange, OfKind>();
  readonly #events: NewEvent[] = [];
  #ownRows: OwnRows | undefined;
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

  /** Whether it writes rows itself, so that it takes no others along. */
  get hasOwnRows(): boolean {
    return this.#ownRows !== undefined;
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
    const finds = this.#kindsInOrder().flatMap(([kind, own]) => {
      const requests = own.changes.map(({ request }) => request);
      const find = kind.find?.(organizationId, requests, this.#options.waits);
      own.hasFind = find !== undefined;
      return find ?? [];
    });
    return [...locks, ...finds];
  }

  #collectLocks(): { rows: RowLocks; locked: LockedRow[] }[] {
    const byRows = new Map<RowLocks, LockedRow[]>();
    for (const [{ locks = [] }, { changes }] of this.#kindsInOrder()) {
      for (const { rows, of } of locks) {
        const locked = changes.flatMap(({ request }) => of(request));
        if (locked.length > 0) byRows.set(rows, [...(byRows.get(rows) ?? []), ...locked]);
      }
    }
    this.#locks = [...byRows.keys()];
    return [...byRows].map(([rows, locked]) => ({ rows, locked }));
  }

  #of(kind: AnyGroupedChange): OfKind {
    let own = this.#kinds.get(kind);
    if (!own) {
      own = { changes: [], hasFind: false, found: [], shared: undefined, writes: [] };
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
      this.#noteFound(kind, own, own.hasFind ? found.shift() : [], heldOf);
    this.#decideAll();
    this.#ownRows = this.#makeOwnRows();
    if (this.#events.length > 0 || this.#ownRows) await this.#commit(tx, expectedStateHead);
  }

  #makeOwnRows(): OwnRows | undefined {
    const own = this.#kindsInOrder().flatMap(([kind, { writes }]) =>
      kind.rows && writes.length > 0 ? [kind.rows(writes)] : [],
    );
    if (own.length > 1) throw new Error("Two kinds of changes write entries of their own.");
    return own[0];
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
      if (writes.length > 0 && list.events.length === 0 && !kind.rows)
        throw new Error("What is written is not announced.");
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
    const options = { rowCount: this.#ownRows?.count ?? 0, positionRef: undefined, expectedStateHead };
    const append =
      this.#events.length > 0 ? await appendStatement(tx, organizationId, this.#events, options) : undefined;
    const writes = this.#kindsInOrder().flatMap(
      ([kind, own]) => (own.writes.length > 0 && kind.write?.(organizationId, own.writes)) || [],
    );
    const askedAt = performance.now();
    await this.#turn.take();
    this.hasTurn = true;
    checkTurn(askedAt);
    if (expectedStateHead !== undefined && this.#state.stateHead !== expectedStateHead)
      throw new StaleMemory();
    // A second update of the log's row in one transaction checks its foreign key, and so waits for a change
    // of the organization. So positions are taken once, and no other rows go along with the group's own.
    if (!this.#ownRows) this.rows = this.#turn.rows();
    const ownRows = this.#ownRows?.statement(append ? "taken" : { expectedStateHead });
    await this.#send(tx, { writes, append, ownRows });
  }

  /** In one round trip. The log's row is locked by what comes after the writes. */
  async #send(tx: LastTransaction, { writes, append, ownRows }: LastStatements): Promise<void> {
    const statements: { part: Part; statement: Sql }[] = [
      ...writes.map((statement) => ({ part: "changes" as const, statement })),
      ...(this.rows ? [{ part: "rows" as const, statement: this.rows.statement }] : []),
      ...(append ? [{ part: "append" as const, statement: append }] : []),
      ...(ownRows ? [{ part: "ownRows" as const, statement: ownRows }] : []),
    ];
    const outcomes = await Promise.allSettled(
      statements.map(({ statement }, index) =>
        index < statements.length - 1 ? tx.query<LogRange>(statement) : tx.commitWith<LogRange>(statement),
      ),
    );
    // Those after the first that fails only fail because it did.
    const failed = outcomes.findIndex(({ status }) => status === "rejected");
    if (failed !== -1) {
      this.failedAt = (statements[failed] as { part: Part }).part;
      const { reason } = outcomes[failed] as PromiseRejectedResult;
      throw reason.code === STALE_MEMORY ? new StaleMemory() : reason;
    }
    const rangeOf = (part: Part): LogRange | undefined => {
      const outcome = outcomes[statements.findIndex((statement) => statement.part === part)];
      return (outcome as PromiseFulfilledResult<LogRange[]> | undefined)?.value[0];
    };
    this.#note(rangeOf("rows"), rangeOf("append"), rangeOf("ownRows"));
  }

  #note(
    rowRange: LogRange | undefined,
    eventRange: LogRange | undefined,
    ownRange: LogRange | undefined,
  ): void {
    const { base } = (rowRange ?? eventRange ?? ownRange) as LogRange;
    const { head } = (ownRange ?? eventRange) as LogRange;
    this.committed = { base, head, rowRange, eventRange, ownRange };
  }

  /** To be called after the commit. All entries, in their order. */
  entries(): LogEntry[] {
    const { eventRange, rowRange, ownRange } = this.committed as Committed;
    const entries = rowRange ? (this.rows as RowBatch).entriesFrom(rowRange) : [];
    this.#events.forEach(({ payload, audience, statePatch }, index) => {
      const position = ((eventRange as LogRange).base + index + 1) as Position;
      entries.push(logEntry(position, payload, audience, statePatch));
    });
    if (ownRange) entries.push(...(this.#ownRows as OwnRows).entriesFrom(ownRange));
    return entries;
  }

  /** To be called after the commit, before the answers are given. */
  tellOwnRows(): void {
    const { ownRange } = this.committed as Committed;
    if (ownRange) this.#ownRows?.sent(ownRange);
  }
}
