/**
 * One organization in this node's memory, following its log.
 *
 * Three things are true here and relied on everywhere:
 * 1. Entries are applied in the order of their positions, each exactly once, whether this node wrote them or another.
 * 2. `stateHead` is the position of the newest entry that changed the memory (advisory slices apart). A commit that was decided on older memory
 *    is refused by the database (see transaction.ts), so a permission is always the one at the entry's own position.
 * 3. An entry is delivered to queues right after it is applied, by the memory as it then is.
 * `docs/life-of-an-event.md` tells the whole way.
 */
import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Database, Queryable } from "../db/database.ts";
import type { LogEntry } from "./log-entry.ts";
import { isBinding, type LogParts } from "./log-parts.ts";
import type { Projection } from "./projection.ts";
import { readLog } from "./read-log.ts";
import { advanceHead, type Heads, readHeads } from "./store.ts";

/** Entries kept in memory so that a queue that is a little behind needs no query. */
const RECENT_ENTRIES = 2048;
const CATCH_UP_PAGE = 1000;

export class OrganizationState {
  readonly organizationId: OrganizationId;
  readonly database: Database;
  readonly parts: LogParts;
  /** The newest entries, oldest first; everything after `recentAfter` is here. */
  recent: LogEntry[] = [];
  recentAfter: Position;
  position: Position;
  stateHead: Position;
  readonly #projections = new Map<string, { projection: Projection<unknown>; value: unknown }>();
  readonly #waiting: { position: Position; resolve: () => void }[] = [];
  #catchingUp: Promise<void> | undefined;

  private constructor(
    database: Database,
    organizationId: OrganizationId,
    parts: LogParts,
    heads: { head: Position; stateHead: Position },
  ) {
    this.database = database;
    this.organizationId = organizationId;
    this.parts = parts;
    this.position = heads.head;
    this.recentAfter = heads.head;
    this.stateHead = heads.stateHead;
  }

  /** Loads every slice and the heads in one snapshot. */
  static async load(
    database: Database,
    organizationId: OrganizationId,
    parts: LogParts,
  ): Promise<OrganizationState> {
    return database.snapshot(async (tx) => {
      const heads = await readHeads(tx, organizationId);
      const state = new OrganizationState(database, organizationId, parts, heads);
      for (const projection of parts.projections) {
        state.#projections.set(projection.name, {
          projection,
          value: await projection.load(tx, organizationId),
        });
      }
      return state;
    });
  }

  get<T, P>(projection: Projection<T, P>): T {
    return (this.#projections.get(projection.name) as { value: T }).value;
  }

  /** Takes what this node just committed, and tells the others. If another wrote in between, the log is read instead. */
  committed(base: Position, entries: readonly LogEntry[], head: Position): void {
    if (entries.length > 0) this.parts.bus.publish(this.organizationId, head);
    if (base === this.position) this.#apply(entries, head);
    else this.follow(head);
  }

  /** Sees to it that everything up to `head` gets applied: for a wake-up, which waits for nothing. */
  follow(head: Position): void {
    if (head <= this.position) return;
    const underWay = this.#catchingUp;
    // A reading under way may have looked at the head before this one was there, so one more follows it. Not more than
    // that: a head which the log does not have then is a mistake of whoever told it.
    const read = underWay
      ? underWay.then(() => (head > this.position ? this.catchUp() : undefined))
      : this.catchUp();
    read.catch(this.parts.report);
  }

  /** Reads the log up to its head and applies it. Callers share one reading. */
  catchUp(): Promise<void> {
    if (!this.#catchingUp) {
      this.#catchingUp = this.#readOn().finally(() => {
        this.#catchingUp = undefined;
      });
    }
    return this.#catchingUp;
  }

  /** Resolves when everything up to `position` is applied. */
  async reached(position: Position): Promise<void> {
    if (this.position >= position) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ position, resolve });
    });
  }

  /** Moves the head without an entry, for an id of its own; resolves when this node has it. */
  async advanceHead(): Promise<void> {
    const head = await advanceHead(this.database, this.organizationId);
    this.committed((head - 1) as Position, [], head);
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
      const { head } = await readHeads(this.database, this.organizationId);
      if (head <= this.position) return;
      const { entries, upTo } = await readLog(this.database, this, this.position, head, CATCH_UP_PAGE);
      this.#apply(entries, upTo);
    }
  }

  #apply(entries: readonly LogEntry[], head: Position): void {
    for (const entry of entries) {
      // A reading of the log and a commit of our own may bring the same entry.
      if (entry.position <= this.position) continue;
      if (entry.statePatch) {
        for (const [name, patch] of Object.entries(entry.statePatch)) {
          const held = this.#projections.get(name);
          if (held) held.projection.apply(held.value, patch, this, entry.position);
        }
        if (isBinding(this.parts, entry.statePatch)) this.stateHead = entry.position;
      }
      this.position = entry.position;
      this.recent.push(entry);
      this.#dispatch(entry);
    }
    if (head > this.position) this.position = head;
    this.#trimRecent();
    this.parts.dispatcher.flush();
    this.#wakeWaiting();
  }

  /** An event that can't be written is our bug; it must not keep those behind it from being delivered. */
  #dispatch(entry: LogEntry): void {
    try {
      this.parts.dispatcher.dispatch(this, entry);
    } catch (error) {
      this.parts.report(error);
    }
  }

  #trimRecent(): void {
    if (this.recent.length < 2 * RECENT_ENTRIES) return;
    const dropped = this.recent.splice(0, this.recent.length - RECENT_ENTRIES);
    this.recentAfter = (dropped[dropped.length - 1] as LogEntry).position;
  }

  #wakeWaiting(): void {
    for (let index = this.#waiting.length - 1; index >= 0; index--) {
      const waiting = this.#waiting[index] as { position: Position; resolve: () => void };
      if (waiting.position > this.position) continue;
      this.#waiting.splice(index, 1);
      waiting.resolve();
    }
  }
}
