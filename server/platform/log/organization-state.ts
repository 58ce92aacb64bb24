/**
 * One organization in this node's memory, which follows the organization's log.
 *
 * Three invariants hold here, and all other code relies on them:
 * 1. Entries are applied in the order of their positions, each exactly once, whichever node wrote them.
 * 2. `stateHead` is the position of the newest entry that changed the memory, advisory projections excepted.
 *    The database refuses a commit that was decided on older memory (see change.ts). So permissions are
 *    always those at the entry's position.
 * 3. An entry is dispatched to queues right after it is applied, when the memory is as of the entry's
 *    position. `docs/life-of-an-event.md` describes the whole path.
 */
import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Database, Queryable } from "../db/database.ts";
import type { LogEntry } from "./log-entry.ts";
import { isBinding, type LogParts } from "./log-parts.ts";
import type { Projection } from "./projection.ts";
import { readLog } from "./read-log.ts";
import { RecentEntries } from "./recent-entries.ts";
import { type Heads, readHeads } from "./store.ts";

const CATCH_UP_PAGE = 1000;

interface Loaded {
  projection: Projection<unknown>;
  value: unknown;
  changedAt: Position;
}

export class OrganizationState {
  readonly organizationId: OrganizationId;
  readonly database: Database;
  readonly parts: LogParts;
  readonly recent: RecentEntries;
  /** The position at which this memory began to follow the log. */
  readonly loadedAt: Position;
  position: Position;
  stateHead: Position;
  /** The epoch of the log that this memory follows. */
  readonly epoch: string;
  readonly #projections = new Map<string, Loaded>();
  readonly #waiting: { position: Position; resolve: () => void }[] = [];
  readonly #listeners: ((entry: LogEntry) => void)[] = [];
  #catchingUp: Promise<void> | undefined;
  #nextCatchUp: Promise<void> | undefined;

  private constructor(database: Database, organizationId: OrganizationId, parts: LogParts, heads: Heads) {
    this.database = database;
    this.organizationId = organizationId;
    this.parts = parts;
    this.position = heads.head;
    this.loadedAt = heads.head;
    this.recent = new RecentEntries(heads.head, parts.recentShare);
    this.stateHead = heads.stateHead;
    this.epoch = heads.epoch;
  }

  /** Loads every projection and the heads in one snapshot. */
  static async load(
    database: Database,
    organizationId: OrganizationId,
    parts: LogParts,
  ): Promise<OrganizationState> {
    return database.snapshot(async (tx) => {
      const state = new OrganizationState(
        database,
        organizationId,
        parts,
        await readHeads(tx, organizationId),
      );
      await state.#load(tx);
      return state;
    });
  }

  /** The memory of an organization that has no log yet, for the process that fills its tables. */
  static async loadUnopened(
    database: Database,
    organizationId: OrganizationId,
    parts: LogParts,
  ): Promise<OrganizationState> {
    const heads = { head: 0 as Position, stateHead: 0 as Position, epoch: "" };
    return database.snapshot(async (tx) => {
      const state = new OrganizationState(database, organizationId, parts, heads);
      await state.#load(tx);
      return state;
    });
  }

  async #load(tx: Queryable): Promise<void> {
    for (const projection of this.parts.projections) {
      const value = await projection.load(tx, this.organizationId);
      this.#projections.set(projection.name, { projection, value, changedAt: this.position });
    }
  }

  get<T, P>(projection: Projection<T, P>): T {
    return (this.#projections.get(projection.name) as { value: T }).value;
  }

  /**
   * Calls the listener with each entry from now on, right after it is applied, for as long as this memory
   * lives. It must be quick and may keep no texts: sends wait for it.
   */
  listen(listener: (entry: LogEntry) => void): void {
    this.#listeners.push(listener);
  }

  /** The position of the newest entry that changed one of these projections. */
  lastChangeOf(projections: readonly Pick<Projection<unknown>, "name">[]): Position {
    let last = 0;
    for (const { name } of projections) {
      last = Math.max(last, (this.#projections.get(name) as Loaded).changedAt);
    }
    return last as Position;
  }

  /**
   * Applies what this node just committed, and wakes the others. If another node wrote in between, reads the
   * log. It never throws: what is committed stands, whatever becomes of it in memory. `entries` is called
   * once.
   */
  committed(base: Position, entries: () => readonly LogEntry[], head: Position): void {
    try {
      const list = entries();
      if (list.length > 0) this.parts.bus.publish(this.organizationId, head);
      if (base === this.position) this.#apply(list, head);
      else this.follow(head);
    } catch (error) {
      this.parts.report(error);
      this.#readAgain(head);
    }
  }

  /** Those who wait for the memory of what they wrote go on even if the log can't be read either. */
  #readAgain(head: Position): void {
    this.catchUp()
      .catch(this.parts.report)
      .finally(() => this.#wakeWaiting(head));
  }

  /**
   * Starts to apply everything up to `head`, and returns at once. For messages of the bus, for which nobody
   * waits.
   */
  follow(head: Position): void {
    if (head <= this.position) return;
    const underWay = this.#catchingUp ?? Promise.resolve();
    // A read under way may have fetched the head before this one was committed, so one more read may follow.
    // One is enough: if the log does not have the head then, the sender of the message was wrong.
    underWay.then(() => (head > this.position ? this.catchUp() : undefined)).catch(this.parts.report);
  }

  /**
   * Resolves when memory is at least as new as the log was at the call. Callers share a read, but only one
   * that begins after their call: an earlier read may have fetched the head before the last commit.
   */
  catchUp(): Promise<void> {
    if (!this.#catchingUp) return this.#beginToCatchUp();
    if (!this.#nextCatchUp) {
      const next = () => {
        this.#nextCatchUp = undefined;
        return this.#catchingUp ?? this.#beginToCatchUp();
      };
      this.#nextCatchUp = this.#catchingUp.then(next, next);
    }
    return this.#nextCatchUp;
  }

  #beginToCatchUp(): Promise<void> {
    this.#catchingUp = this.#readOn().finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  /** Resolves when memory is at least as new as this head of the log, which the caller has just read. */
  async catchUpTo(head: Position): Promise<void> {
    if (head > this.position) await this.catchUp();
  }

  /**
   * Resolves when everything up to `position` is applied, or when memory failed to apply it and the log could
   * not be read.
   */
  async reached(position: Position): Promise<void> {
    if (this.position >= position) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ position, resolve });
    });
  }

  /** The head moved by one without an entry, up to here. Resolves when this node has reached it. */
  async headMoved(head: Position): Promise<void> {
    this.committed((head - 1) as Position, () => [], head);
    await this.reached(head);
  }

  /** The heads of the log as a transaction sees them. */
  readHeads(tx: Queryable): Promise<Heads> {
    return readHeads(tx, this.organizationId);
  }

  /** Every projection with its value. */
  projections(): Iterable<{ projection: Projection<unknown>; value: unknown }> {
    return this.#projections.values();
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const { head, epoch } = await readHeads(this.database, this.organizationId);
      if (epoch !== this.epoch) throw this.database.markReplaced();
      if (head <= this.position) return;
      const { entries, upTo } = await readLog(this.database, this, this.position, head, CATCH_UP_PAGE);
      this.#apply(entries, upTo);
    }
  }

  #apply(entries: readonly LogEntry[], head: Position): void {
    for (const entry of entries) {
      // A read of the log and a commit of this node may both bring the same entry.
      if (entry.position <= this.position) continue;
      if (entry.statePatch) {
        for (const [name, patch] of Object.entries(entry.statePatch)) {
          const known = this.#projections.get(name);
          if (!known) continue;
          known.projection.apply(known.value, patch, this, entry.position);
          known.changedAt = entry.position;
        }
        if (isBinding(this.parts, entry.statePatch)) this.stateHead = entry.position;
      }
      this.position = entry.position;
      this.#dispatch(entry);
      this.recent.add(entry);
    }
    if (head > this.position) this.position = head;
    this.recent.trim();
    this.parts.dispatcher.flush();
    this.#wakeWaiting();
  }

  /**
   * An event that can't be serialized is our bug, and so is a listener that throws. Neither must block the
   * other listeners, the queues, or the events after it.
   */
  #dispatch(entry: LogEntry): void {
    for (const listener of this.parts.listeners ?? []) this.#reporting(() => listener(this, entry));
    for (const listener of this.#listeners) this.#reporting(() => listener(entry));
    this.#reporting(() => this.parts.dispatcher.dispatch(this, entry));
  }

  #reporting(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.parts.report(error);
    }
  }

  #wakeWaiting(upTo = this.position): void {
    for (let index = this.#waiting.length - 1; index >= 0; index--) {
      const waiting = this.#waiting[index] as { position: Position; resolve: () => void };
      if (waiting.position > upTo) continue;
      this.#waiting.splice(index, 1);
      waiting.resolve();
    }
  }
}
