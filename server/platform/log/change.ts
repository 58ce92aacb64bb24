/**
 * A change and its events are one transaction, and appending the events is its last step. Positions are
 * assigned under the lock of the organization's log. So that lock is held for one statement and the commit
 * only, however long the change took before.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../../../api/errors.ts";
import type { EventDeclaration } from "../../../api/event.ts";
import type { Position } from "../../../api/ids.ts";
import type { LastTransaction, LockedSession, Queryable, Transaction } from "../db/database.ts";
import { isDeadlock, isLockTimeout, ServerBusy } from "../db/server-busy.ts";
import type { Sql } from "../db/sql.ts";
import { pushTo } from "../std/multimap.ts";
import type { PlacedPatch } from "./before-commit-hook.ts";
import { LateTurn } from "./commit-turn.ts";
import { EventList, type EventSink, payloadOf } from "./event-list.ts";
import type { Audience, LogEntry, StatePatch } from "./log-entry.ts";
import { logEntry, nobody } from "./log-entry.ts";
import type { OrganizationState } from "./organization-state.ts";
import { StaleMemory } from "./stale-memory.ts";
import { stateChangesOf } from "./state-change-queue.ts";
import {
  appendStatement,
  headsOf,
  headsQuery,
  insertEventAt,
  type LogRange,
  type NewEvent,
  STALE_MEMORY,
  sharedStateLock,
  takePositionRefs,
} from "./store.ts";
import type { StoredEvent, StoredFields } from "./stored-event.ts";

export interface Change extends Transaction, EventSink {
  state: OrganizationState;
  /**
   * Announces something before the event of this index (see `LastHook`), or before all events with 0. The
   * readers get it with the memory as it was then.
   */
  insert<E extends EventDeclaration | StoredEvent<object>>(
    index: number,
    event: E,
    fields: StoredFields<E>,
    audience: Audience,
  ): void;
  /** Changes the nodes' memory without an event for clients. */
  appendPatch(...patches: readonly StatePatch[]): void;
  /** Adds entries that are rows of another table, such as messages. They come after all events. */
  appendRows(rows: EntryRows): void;
  /**
   * For rows that a state change announces and that others change without a lock, such as messages. If
   * `holds` says at the commit that they are no longer what was read, the state change runs again. LOCK: it
   * is asked under the log's lock, so what comes later has its own event after this change. It is asked
   * before the change's own rows are written, which it knows.
   */
  checkAtCommit(holds: (tx: Queryable) => Promise<boolean>): void;
  /**
   * `checkAtCommit` for rows whose changes always change memory too, such as the first message of a channel.
   * A first try asks nothing: it runs again if anything in memory changes from now to the commit. To be
   * called before the rows are read.
   */
  checkIfMemoryChanges(holds: (tx: Queryable) => Promise<boolean>): void;
  /**
   * Adds an event after all rows that were added before it. `fields` is called once their positions are
   * known, so it can name a message that the same transaction sends.
   */
  appendAfterRows<E extends EventDeclaration | StoredEvent<object>>(
    event: E,
    fields: () => StoredFields<E>,
    audience: Audience,
  ): void;
  /**
   * A reference to the transaction's position in the log, for rows that are written before the position is
   * known. The position lies after the transaction's events and before its entries in other tables. So users
   * whom a change subscribes receive a message that the same change posts.
   */
  positionRef(): Promise<number>;
}

/** Entries of the log whose table is not `events`. */
export interface EntryRows {
  count: number;
  /** Writes the rows under the log's lock, the first at `base` + 1, and returns their entries. */
  write(tx: Transaction, base: Position): Promise<LogEntry[]>;
}

const MAX_TRIES = 10;
/** How often a content change runs against memory that may change meanwhile, before it takes the lock. */
const OPTIMISTIC_TRIES = 2;
/** The delay before work that threw `TryLater` runs again. */
const RETRY_DELAY_MS = 20;
/** How often a content change is refused by memory that turns out to be old, before the refusal stands. */
const MAX_OLD_REFUSALS = 3;
/** How long work is retried that threw `TryLater`, or that waits for a lock. */
const RETRY_TIMEOUT_MS = 10_000;

/**
 * Thrown by the work of `runContentChange` when it can't go on now. The transaction is rolled back, and the
 * work runs again after a short delay in which it holds no connection.
 */
export class TryLater extends ServerBusy {}

/** Something that a state change read has changed before its commit, so the work runs again. */
class StaleRows extends ServerBusy {}

/**
 * Changes what permissions depend on: people, channels, subscriptions, groups, settings. An organization's
 * state changes run one after another. So `state` is exact while `work` runs, and nothing that `work` checked
 * can change before the commit. After a deadlock, or a long wait for a lock, `work` runs again, and also when
 * rows have changed that it read (`checkAtCommit`). Resolves when this node's memory has the change too.
 * Throws ServerBusy when too many changes wait, or this one waited too long.
 */
export async function runStateChange<T>(
  state: OrganizationState,
  work: (tx: Change) => Promise<T>,
): Promise<T> {
  return stateChangesOf(state).run((session) => runInSession(state, session, work));
}

/**
 * One state change of a session that holds the lock. `turn`: the turn to commit, for a change that waits for
 * nothing that another commit of this node may hold. It keeps messages from being refused by the change,
 * since none of this node are under way meanwhile.
 */
export function runInSession<T>(
  state: OrganizationState,
  session: LockedSession,
  work: (tx: Change) => Promise<T>,
  turn?: CommitTurn,
): Promise<T> {
  const withHooks = async (change: OpenChange) => {
    const value = await work(change);
    await change.runBeforeCommitHooks();
    return value;
  };
  let asksRows = false;
  return retryOnLocks(async () => {
    try {
      return await runOnce(state, session, withHooks, { turn, asksRows });
    } catch (error) {
      if (!(error instanceof StaleMemory)) throw error;
      asksRows = true;
      await state.catchUp();
      throw new StaleRows("the memory that was to be announced kept changing", { cause: error });
    }
  });
}

/** Resolves when no other commit of the organization is under way, with what ends the turn. */
export type CommitTurn = () => Promise<() => void>;

/** Runs a transaction again that was rolled back by a deadlock or a long wait for a lock, or was stale. */
async function retryOnLocks<T>(transaction: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + RETRY_TIMEOUT_MS;
  for (let tries = 1; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      const isStale = error instanceof StaleRows || error instanceof LateTurn;
      const mayRetry = isStale || isDeadlock(error) || (isLockTimeout(error) && performance.now() < deadline);
      if (!mayRetry || tries === MAX_TRIES) throw error;
    }
  }
}

/**
 * Changes content: edits, read marks, votes, drafts. What `work` checked in `state` must still hold at the
 * commit. If the memory has changed meanwhile, everything is rolled back and `work` runs again. It also runs
 * again after a deadlock, and after a long wait for a lock.
 *
 * A change that was beaten twice shares the lock of state changes, from its first statement to its commit.
 * Its memory is then exact, so it can't be beaten again. PostgreSQL grants the lock in the order of the
 * requests, so neither kind of change starves the other. While state changes wait for each other, one
 * try is enough: the next would be beaten as well. Work that threw `TryLater` was not beaten. It asks again
 * without the lock, on which it would wait for a state change that waits for rows that it does not need.
 *
 * What `work` refuses is refused by memory that is not older than the call. Another node may have made what
 * it needs.
 */
export async function runContentChange<T>(
  state: OrganizationState,
  work: (tx: Change) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + RETRY_TIMEOUT_MS;
  let beaten = 0;
  let refusals = 0;
  for (;;) {
    const { stateHead } = state;
    try {
      const isOptimistic = beaten === 0 || (beaten < OPTIMISTIC_TRIES && !stateChangesOf(state).isCrowded);
      return await (isOptimistic ? runChecked(state, work) : runLocked(state, work));
    } catch (error) {
      if (error instanceof TryLater && performance.now() < deadline) await sleep(RETRY_DELAY_MS);
      else if (error instanceof ApiError && refusals++ < MAX_OLD_REFUSALS) {
        await state.catchUp();
        if (state.stateHead === stateHead) throw error;
      } else if (!(error instanceof StaleMemory) || ++beaten === MAX_TRIES) throw error;
      else await state.catchUp();
    }
  }
}

/**
 * Changes content under the shared lock of state changes: `state` is exact while `work` runs. After a
 * deadlock, or a long wait for a lock, `work` runs again. LOCK: the state lock, shared, before any row.
 */
export function runLocked<T>(state: OrganizationState, work: (tx: Change) => Promise<T>): Promise<T> {
  const { database, organizationId } = state;
  const lead = [sharedStateLock(organizationId), headsQuery(organizationId)];
  const locked: Transactions = {
    transaction: (run) =>
      database.transaction(
        async (tx, [, heads]) => {
          await state.catchUpTo(headsOf(heads).head);
          return run(tx);
        },
        { lead },
      ),
  };
  return retryOnLocks(() => runOnce(state, locked, work, { asksRows: true }));
}

/** Throws StaleMemory if memory has changed meanwhile. */
function runChecked<T>(state: OrganizationState, work: (tx: Change) => Promise<T>): Promise<T> {
  return retryOnLocks(() => runOnce(state, state.database, work, { expectedStateHead: state.stateHead }));
}

/** Where a change runs: the database itself, or a connection that holds a lock. */
interface Transactions {
  transaction<T>(run: (tx: LastTransaction) => Promise<T>): Promise<T>;
}

interface CommitOptions {
  /** For a caller without a lock, see `appendStatement`. */
  expectedStateHead?: Position | undefined;
  turn?: CommitTurn | undefined;
  /** Whether `checkIfMemoryChanges` asks at the commit, since memory may change again and again. */
  asksRows?: boolean;
}

/** Runs the work in one transaction and applies what it appended. */
async function runOnce<T>(
  state: OrganizationState,
  transactions: Transactions,
  work: (change: OpenChange) => Promise<T>,
  { expectedStateHead, turn, asksRows = false }: CommitOptions,
): Promise<T> {
  let committed: Committed | undefined;
  let endTurn: (() => void) | undefined;
  const takeTurn = async () => {
    endTurn = await turn?.();
  };
  try {
    const result = await transactions.transaction(async (tx) => {
      const change = new OpenChange(state, tx, asksRows);
      const value = await work(change);
      committed = await change.flush(expectedStateHead, takeTurn);
      return value;
    });
    if (committed) await announce(state, committed);
    return result;
  } finally {
    endTurn?.();
  }
}

interface Committed {
  base: Position;
  head: Position;
  entries: readonly LogEntry[];
}

class OpenChange implements Change {
  readonly state: OrganizationState;
  readonly client: Transaction["client"];
  readonly query: Transaction["query"];
  readonly #tx: LastTransaction;
  readonly #list: EventList;
  readonly #inserted = new Map<number, NewEvent[]>();
  readonly #rows: EntryRows[] = [];
  readonly #checks: ((tx: Queryable) => Promise<boolean>)[] = [];
  #positionRef: number | undefined;
  readonly #asksRows: boolean;
  #expectedStateHead: Position | undefined;

  constructor(state: OrganizationState, tx: LastTransaction, asksRows: boolean) {
    this.#tx = tx;
    this.#asksRows = asksRows;
    this.#list = new EventList(state.parts);
    this.state = state;
    this.client = tx.client;
    this.query = tx.query;
  }

  append<E extends EventDeclaration | StoredEvent<object>>(
    event: E,
    fields: StoredFields<E>,
    audience: Audience,
    ...patches: readonly StatePatch[]
  ): void {
    this.#list.append(event, fields, audience, ...patches);
  }

  insert<E extends EventDeclaration | StoredEvent<object>>(
    index: number,
    { type, op }: E,
    fields: StoredFields<E>,
    audience: Audience,
  ): void {
    const payload = payloadOf(type, op, fields as object);
    const event = { payload, audience, statePatch: undefined, isBinding: false };
    pushTo(this.#inserted, index, event);
  }

  appendPatch(...patches: readonly StatePatch[]): void {
    this.#list.add({ type: "state" }, nobody, patches);
  }

  appendRows(rows: EntryRows): void {
    this.#rows.push(rows);
  }

  checkAtCommit(holds: (tx: Queryable) => Promise<boolean>): void {
    this.#checks.push(holds);
  }

  checkIfMemoryChanges(holds: (tx: Queryable) => Promise<boolean>): void {
    if (this.#asksRows) this.#checks.push(holds);
    else this.#expectedStateHead ??= this.state.stateHead;
  }

  appendAfterRows<E extends EventDeclaration | StoredEvent<object>>(
    { type, op }: E,
    fields: () => StoredFields<E>,
    audience: Audience,
  ): void {
    this.appendRows({
      count: 1,
      write: async (tx, base) => {
        const position = (base + 1) as Position;
        const payload = payloadOf(type, op, fields() as object);
        await insertEventAt(tx, this.state.organizationId, position, { payload, audience });
        return [logEntry(position, payload, audience)];
      },
    });
  }

  /** Lets higher modules append what follows from the transaction's changes of memory. */
  async runBeforeCommitHooks(): Promise<void> {
    const patches = this.#list.events.flatMap(({ statePatch }) =>
      Object.entries(statePatch ?? {}).map(([projection, patch]) => ({ projection, patch })),
    );
    for (const { projections, run } of this.state.parts.beforeCommitHooks) {
      const watched = patches.filter(({ projection }) => projections.includes(projection));
      if (watched.length > 0) await run(this, watched);
    }
    for (const { run } of this.state.parts.lastHooks ?? []) await run(this, this.#placedPatches());
  }

  #placedPatches(): PlacedPatch[] {
    return this.#list.events.flatMap(({ statePatch }, index) =>
      Object.entries(statePatch ?? {}).map(([projection, patch]) => ({ projection, patch, index })),
    );
  }

  #eventsInOrder(): readonly NewEvent[] {
    if (this.#inserted.size === 0) return this.#list.events;
    const before = (index: number) => this.#inserted.get(index) ?? [];
    const events = this.#list.events.flatMap((event, index) => [...before(index), event]);
    return [...events, ...before(this.#list.events.length)];
  }

  async positionRef(): Promise<number> {
    this.#positionRef ??= await nextPositionRef(this);
    return this.#positionRef;
  }

  async #run(statement: Sql, isLast: boolean): Promise<LogRange> {
    try {
      const rows = isLast
        ? await this.#tx.commitWith<LogRange>(statement)
        : await this.query<LogRange>(statement);
      return rows[0] as LogRange;
    } catch (error) {
      throw (error as { code?: unknown }).code === STALE_MEMORY ? new StaleMemory() : error;
    }
  }

  /**
   * Writes the entries. Throws StaleMemory if memory has changed since `expectedStateHead`. `takeTurn` is
   * called right before the log's row is locked.
   */
  async flush(
    expectedStateHead: Position | undefined = this.#expectedStateHead,
    takeTurn: () => Promise<void>,
  ): Promise<Committed | undefined> {
    const rowCount = this.#rows.reduce((sum, { count }) => sum + count, 0);
    const events = this.#eventsInOrder();
    if (events.length === 0 && rowCount === 0 && this.#positionRef === undefined) return undefined;
    const statement = await appendStatement(this, this.state.organizationId, events, {
      rowCount,
      positionRef: this.#positionRef,
      expectedStateHead,
    });
    // Nothing follows the statement, so the log's lock is not held for a round trip more than it must.
    const isLast = this.#rows.length === 0 && this.#checks.length === 0;
    await takeTurn();
    const range = await this.#run(statement, isLast);
    const entries = events.map((event, index) =>
      logEntry((range.base + index + 1) as Position, event.payload, event.audience, event.statePatch),
    );
    for (const holds of this.#checks) {
      if (!(await holds(this))) throw new StaleRows("what was to be announced kept changing");
    }
    for (const rows of this.#rows) {
      entries.push(...(await rows.write(this, (range.base + entries.length) as Position)));
    }
    return { ...range, entries };
  }
}

/** The numbers that this process has taken and not used, of each database. */
const positionRefs = new WeakMap<object, number[]>();

/** A number that no transaction has. Blocks of them are taken, so most calls ask nobody. */
async function nextPositionRef({ state, query }: OpenChange): Promise<number> {
  const kept = positionRefs.get(state.database) ?? [];
  positionRefs.set(state.database, kept);
  if (kept.length === 0) kept.push(...(await takePositionRefs({ query })));
  return kept.shift() as number;
}

async function announce(state: OrganizationState, { base, head, entries }: Committed): Promise<void> {
  state.committed(base, () => entries, head);
  await state.reached(head);
}
