/**
 * The one writer of an organization's log on a node: messages and small changes that arrive at the same
 * moment share a commit. While one is under way, the next one gathers. Several commits of one node would only
 * wait for each other at the log's row. They would also come back in another order than they were made, so
 * the node would have to read its own entries.
 *
 * Changes that share no transaction, such as moves and most changes of state, commit beside it (`change.ts`).
 * Joins take a turn to commit among its own (`grouped-state-change.ts`).
 *
 * Locks, in the order in which they are taken: the state lock (only a group that was refused twice), rows,
 * the turn to commit, the log's row. A commit that has the turn waits for the log's row alone, so a group
 * that holds rows does not wait for its turn for long. A group waits for no row. Changes whose rows others
 * hold are tried again a little later, and then wait beside the groups (`blocked-changes.ts`).
 */
import { ApiError } from "../../../api/errors.ts";
import type { Database } from "../db/database.ts";
import { OutcomeUnknown } from "../db/database-unavailable.ts";
import { isDeadlock, isLockTimeout, ServerBusy } from "../db/server-busy.ts";
import { Histogram } from "../std/histogram.ts";
import { BlockedChanges, RETRY_TICK_MS } from "./blocked-changes.ts";
import { ChangeGroup } from "./change-group.ts";
import { checkTurn, LateTurn } from "./commit-turn.ts";
import type { AnyGroupedChange, FoundRow, GroupedChange } from "./grouped-change.ts";
import type { OrganizationState } from "./organization-state.ts";
import type { RowBatch, RowSource } from "./row-batch.ts";
import { StaleMemory } from "./stale-memory.ts";
import type { LogRange } from "./store.ts";
import { MAX_GROUP, type WaitingChange, WaitingChanges } from "./waiting-changes.ts";

/** Changes that may wait in memory for one organization, and how long: as for messages. */
export const MAX_WAITING_CHANGES = 5000;
const MAX_WAIT_MS = 10_000;
/** How often changed memory may refuse a change before its group takes the lock of state changes. */
const MAX_REFUSALS = 2;
/** How often a change alone may be rolled back for others to go on. */
const MAX_ROLLBACKS = 10;
/** How often a change is refused by memory that turns out to be old, before the refusal stands. */
const MAX_OLD_REFUSALS = 3;

const writers = new WeakMap<OrganizationState, LogWriter>();

export function logWriterOf(state: OrganizationState): LogWriter {
  let writer = writers.get(state);
  if (!writer) {
    writer = new LogWriter(state);
    writers.set(state, writer);
  }
  return writer;
}

/**
 * Makes a change together with others. `person`: whose it is, since people take turns. Resolves with its
 * answer when this node's memory has the change. Throws what `check` and `decide` throw, by memory that is
 * not older than the call; OutcomeUnknown; and what `isServerBusy` recognizes, when nothing was changed.
 */
export async function runGroupedChange<R, F extends FoundRow, S, W, A>(
  state: OrganizationState,
  kind: GroupedChange<R, F, S, W, A>,
  person: number,
  request: R,
): Promise<A> {
  for (let refusals = 0; ; refusals++) {
    const { stateHead } = state;
    try {
      return (await logWriterOf(state).add(kind as AnyGroupedChange, person, request)) as A;
    } catch (error) {
      if (!(error instanceof ApiError) || refusals === MAX_OLD_REFUSALS) throw error;
      // Another node may have made what the change needs.
      await state.catchUp();
      if (state.stateHead === stateHead) throw error;
    }
  }
}

const groupSizes = new WeakMap<Database, Histogram>();

/** How many changes each committed group of this node had. */
export function groupSizesOf(database: Database): Histogram {
  let sizes = groupSizes.get(database);
  if (!sizes) {
    sizes = new Histogram([1, 2, 4, 8, 16, 32, 64, 128, MAX_GROUP]);
    groupSizes.set(database, sizes);
  }
  return sizes;
}

export class LogWriter {
  readonly #state: OrganizationState;
  readonly #sizes: Histogram;
  readonly #waiting = new WaitingChanges();
  /** Groups to run next: halves of those that failed, and changes that others held up. */
  readonly #next: WaitingChange[][] = [];
  /** Changes whose rows others hold. */
  readonly #blocked = new BlockedChanges();
  /** The keys of all changes that are in a group, a half, or blocked. */
  readonly #busy = new Set<string>();
  /** How many changes have no answer yet. */
  #unanswered = 0;
  #isGrouping = false;
  #isWaitingForRows = false;
  #isRetryDue = false;

  #source: RowSource | undefined;
  /** Groups that are decided and wait for the turn to commit. */
  readonly #ready: (() => void)[] = [];
  #isCommitting = false;
  #isScheduled = false;
  /** Whether rows that wait have the next turn: a group could not take them along. */
  #areRowsNext = false;

  constructor(state: OrganizationState) {
    this.#state = state;
    this.#sizes = groupSizesOf(state.database);
  }

  /** Lets rows of this source share commits with the changes. */
  serve(source: RowSource): void {
    this.#source = source;
  }

  /** To be called when the source may have rows to write. */
  schedule(): void {
    if (this.#isCommitting || this.#isScheduled) return;
    this.#isScheduled = true;
    // Requests that arrived in the same turn of the event loop join the commit.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#commitNext();
    });
  }

  add(kind: AnyGroupedChange, person: number, request: unknown): Promise<unknown> {
    if (this.#unanswered >= MAX_WAITING_CHANGES) {
      throw new ServerBusy("too many changes of the organization are waiting");
    }
    this.#unanswered++;
    return new Promise((resolve, reject) => {
      this.#waiting.add({
        kind,
        request,
        person,
        keys: kind.keysOf(request),
        size: kind.sizeOf?.(request) ?? 0,
        askedAt: performance.now(),
        refusals: 0,
        rollbacks: 0,
        blockings: 0,
        resolve,
        reject,
      });
      this.#group();
    });
  }

  #commitNext(): void {
    if (this.#isCommitting) return;
    const isForRows = this.#areRowsNext || this.#ready.length === 0;
    const rows = isForRows ? this.#source?.take(false) : undefined;
    const ready = rows ? undefined : this.#ready.shift();
    if (!ready && !rows) return;
    this.#isCommitting = true;
    this.#areRowsNext = false;
    if (ready) ready();
    else if (rows) void this.#commitRows(rows);
  }

  #endTurn(): void {
    this.#isCommitting = false;
    if (this.#ready.length > 0 || this.#source?.hasRows) this.schedule();
  }

  /** Rows wait for no second group, where groups and other commits are always ready. */
  #endTurnOf(group: ChangeGroup): void {
    this.#areRowsNext = group.hasOwnRows;
    this.#endTurn();
  }

  async #commitRows(rows: RowBatch): Promise<void> {
    const state = this.#state;
    let range: LogRange | undefined;
    try {
      [range] = await state.database.query<LogRange>(rows.statement);
    } catch (error) {
      rows.failed(error);
      this.#endTurn();
      return;
    }
    if (range) {
      const committed = range;
      state.committed(range.base, () => rows.entriesFrom(committed), range.head);
      rows.sent(range);
    } else {
      rows.refused();
    }
    this.#endTurn();
  }

  /**
   * For a transaction of another kind, right before its commit. Resolves when this node commits nothing else
   * of the organization, with what ends the turn. From then on the transaction may wait for the log's row
   * alone. Throws LateTurn.
   */
  async turn(): Promise<() => void> {
    const askedAt = performance.now();
    await this.#takeTurn();
    try {
      checkTurn(askedAt);
    } catch (error) {
      this.#endTurn();
      throw error;
    }
    return () => this.#endTurn();
  }

  #takeTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#ready.push(resolve);
      this.#commitNext();
    });
  }

  /** Starts the next groups, unless they are under way. */
  #group(): void {
    if (!this.#isGrouping && (this.#next.length > 0 || !this.#waiting.isEmpty)) {
      this.#isGrouping = true;
      // As with messages: what arrived in the same turn of the event loop joins.
      setImmediate(() => void this.#runNext());
    }
    if (!this.#isWaitingForRows) {
      const blocked = this.#blocked.takeToWait();
      if (blocked.length > 0) void this.#waitForRows(blocked);
    }
    if (!this.#isRetryDue && !this.#blocked.isEmpty) {
      this.#isRetryDue = true;
      setTimeout(() => this.#retry(), RETRY_TICK_MS);
    }
  }

  async #runNext(): Promise<void> {
    const group = this.#next.pop() ?? this.#take();
    if (group.length > 0) await this.#run(group, false);
    this.#isGrouping = false;
    // If others have the keys of all that wait, their end starts the next group.
    if (group.length > 0) this.#group();
  }

  #take(): WaitingChange[] {
    const group = this.#waiting.take(this.#busy);
    for (const { keys } of group) for (const key of keys) this.#busy.add(key);
    return group;
  }

  async #waitForRows(group: readonly WaitingChange[]): Promise<void> {
    this.#isWaitingForRows = true;
    await this.#run(group, true);
    this.#isWaitingForRows = false;
    this.#group();
  }

  #retry(): void {
    this.#isRetryDue = false;
    const group = this.#blocked.takeToRetry();
    if (group.length > 0) this.#next.push(group);
    this.#group();
  }

  /** `waits`: for rows that others hold. Never throws. */
  async #run(changes: readonly WaitingChange[], waits: boolean): Promise<void> {
    const inTime = changes.filter((change) => {
      const isLate = performance.now() - change.askedAt > MAX_WAIT_MS;
      if (isLate) this.#reject(change, new ServerBusy("the change waited too long"));
      return !isLate;
    });
    if (inTime.length === 0) return;
    const isLocked = inTime.some(({ refusals }) => refusals >= MAX_REFUSALS);
    const group = new ChangeGroup(
      this.#state,
      inTime,
      { isLocked, waits },
      { take: () => this.#takeTurn(), rows: () => this.#source?.take(true) },
    );
    try {
      await group.run();
      this.#committed(group);
    } catch (error) {
      await this.#failed(group, error, waits);
    }
    for (const [change, reason] of group.refused) this.#reject(change, reason);
  }

  #committed(group: ChangeGroup): void {
    const { decided, later, blocked, committed, rows } = group;
    if (committed) {
      this.#state.committed(committed.base, () => group.entries(), committed.head);
      if (committed.rowRange) rows?.sent(committed.rowRange);
      else rows?.refused();
      group.tellOwnRows();
    }
    if (group.hasTurn) this.#endTurnOf(group);
    if (committed) this.#sizes.observe(decided.length);
    void this.#answer(group);
    for (const change of later) this.#putBack(change);
    this.#blocked.add(blocked);
  }

  /** Callers are answered when this node's memory has what they changed. */
  async #answer({ decided, committed }: ChangeGroup): Promise<void> {
    for (const { change } of decided) this.#free(change);
    if (committed) await this.#state.reached(committed.head);
    for (const { change, answer } of decided) {
      this.#unanswered--;
      change.resolve(answer);
    }
  }

  async #failed(group: ChangeGroup, error: unknown, waits: boolean): Promise<void> {
    const { rows, survivors } = group;
    const isUnknown = error instanceof OutcomeUnknown;
    if (error instanceof StaleMemory) rows?.refused();
    else if (isUnknown) rows?.failed(error);
    else rows?.againAlone();
    if (group.hasTurn) this.#endTurnOf(group);
    if (error instanceof StaleMemory) await this.#refused(survivors);
    else if (error instanceof LateTurn) this.#putBackAll(survivors);
    else if (isUnknown || !isOfStatement(error)) for (const change of survivors) this.#reject(change, error);
    else if (isNoFaultOf(group, error, waits)) this.#rolledBack(survivors, error);
    else if (survivors.length === 1) this.#failedAlone(survivors, error);
    else this.#halve(survivors);
  }

  async #refused(changes: readonly WaitingChange[]): Promise<void> {
    for (const change of changes) change.refusals++;
    try {
      await this.#state.catchUp();
    } catch (error) {
      for (const change of changes) this.#reject(change, error);
      return;
    }
    this.#putBackAll(changes);
  }

  #failedAlone(changes: readonly WaitingChange[], error: unknown): void {
    if (isDeadlock(error) || isLockTimeout(error)) this.#rolledBack(changes, error);
    else for (const change of changes) this.#reject(change, error);
  }

  #rolledBack(changes: readonly WaitingChange[], error: unknown): void {
    const again: WaitingChange[] = [];
    for (const change of changes) {
      if (++change.rollbacks < MAX_ROLLBACKS) again.push(change);
      else this.#reject(change, error);
    }
    this.#putBackAll(again);
  }

  /** So only what makes the group fail gets its error, and the others their answers. */
  #halve(changes: readonly WaitingChange[]): void {
    const middle = Math.ceil(changes.length / 2);
    this.#next.push(changes.slice(middle), changes.slice(0, middle));
  }

  /** In their order, before what came later. */
  #putBackAll(changes: readonly WaitingChange[]): void {
    for (const change of [...changes].reverse()) this.#putBack(change);
  }

  #putBack(change: WaitingChange): void {
    this.#free(change);
    this.#waiting.putBack(change);
  }

  #reject(change: WaitingChange, error: unknown): void {
    this.#free(change);
    this.#unanswered--;
    change.reject(error);
  }

  #free(change: WaitingChange): void {
    for (const key of change.keys) this.#busy.delete(key);
  }
}

/** Whether PostgreSQL refused a statement, which another group may have no trouble with. */
function isOfStatement(error: unknown): boolean {
  return !(error instanceof ServerBusy) && typeof (error as { code?: unknown }).code === "string";
}

/** Whether the group failed for want of the log's row, of rows that others hold, or by the rows beside it. */
function isNoFaultOf({ failedAt }: ChangeGroup, error: unknown, waits: boolean): boolean {
  const isForLog = failedAt === "append" || failedAt === "ownRows";
  return failedAt === "rows" || (isLockTimeout(error) && (waits || isForLog));
}
