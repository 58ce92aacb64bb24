/**
 * Small changes share transactions: see `log-writer.ts`. A kind of change is declared beside its verb, as a
 * `GroupedChange`. It says what all its requests of a group read and write, each in one statement, and
 * decides about each of them in memory.
 */
import type { OrganizationId } from "../../../api/ids.ts";
import type { Sql } from "../db/sql.ts";
import type { EventSink } from "./event-list.ts";
import type { OwnRows } from "./row-batch.ts";

/** The change can't be made together with others: the caller makes it in a transaction of its own. */
export class NotForGroup extends Error {}

/** Thrown by `decide` for a request that must see what another one of the same group writes. */
export class NextGroup extends Error {}

/** Thrown by `decide` for a request for whose rows it must wait, as for those of `locks`. */
export class HeldRows extends Error {}

/** A row that `find` gives for a request. */
export interface FoundRow {
  /** The place of the request in the list that `find` got, counted from 0. */
  number: number;
}

/** Rows that requests of several kinds lock, so that all of a group are locked in one order. */
export interface RowLocks {
  /**
   * LOCK: the rows, to the end of the transaction, always in one order. Gives the `id` of each row that is
   * there and locked. Without `waits`, a row that others hold is left out. An `id` of a row that is gone may
   * be given too: nobody holds it, so its change is decided at once.
   */
  statement(organizationId: OrganizationId, rows: readonly LockedRow[], waits: boolean): Sql;
}

export interface LockedRow {
  id: number;
  /** What the request must keep others from. Its meaning is that of the `RowLocks`. */
  mode: string;
}

/** The rows that the statement of these `RowLocks` gave for the group; none if it locks no such rows. */
export type HeldRowsOf = (rows: RowLocks) => readonly { id: number }[];

export interface Decision<W, A> {
  writes: readonly W[];
  answer: A;
}

/**
 * A change that shares a transaction with others.
 *
 * `R`: what one caller asks. `F`: what the database knows of it. `S`: what the decisions of a group share.
 * `W`: what is written. `A`: the answer.
 */
export interface GroupedChange<R, F extends FoundRow, S, W, A> {
  /**
   * In a group, the kinds come in the order of their names: their statements, decisions and events. All of
   * them read before any of them writes. So a kind that reads what another one writes must come before it.
   */
  readonly name: string;
  /**
   * Two requests with a key in common are not in one group, so the later one sees what the earlier one did.
   */
  keysOf(request: R): readonly string[];
  /** How many characters the request has written down when it is done; nearly nothing if it is absent. */
  sizeOf?(request: R): number;
  /** Throws ApiError for what memory alone refuses, and NotForGroup. Called before anything is read. */
  check(request: R): void;
  /**
   * The rows that must stay until the commit, locked in this order. Absent, like the three below, where
   * nothing is stored.
   */
  readonly locks?: readonly { readonly rows: RowLocks; of(request: R): readonly LockedRow[] }[];
  /**
   * ONE statement for all requests, after the locks. Each row must be looked up by its key, whatever the
   * statistics say. Without `waits`, it waits for no row that others hold. undefined: they need no rows.
   */
  find?(organizationId: OrganizationId, requests: readonly R[], waits: boolean): Sql | undefined;
  /** What the decisions of one group share, from all rows that were found and all that `locks` gave. */
  share?(found: readonly F[], held: HeldRowsOf): S;
  /**
   * Decides about one request; those of the kind come in the order of their arrival. It reads `found`,
   * `shared` and memory, and waits for nothing. Throws ApiError for this caller alone, NotForGroup,
   * NextGroup or HeldRows. What is written must be announced, or be an entry of the log itself.
   */
  decide(request: R, found: readonly F[], shared: S, events: EventSink): Decision<W, A>;
  /**
   * ONE statement for all that is written. It must find the rows as they were found, by the locks. undefined:
   * there are no such rows.
   */
  write?(organizationId: OrganizationId, writes: readonly W[]): Sql | undefined;
  /**
   * The entries among what is written, for a kind whose table is a part of the log, such as messages. They
   * come after the events of the group. One kind of a group may have them.
   */
  rows?(writes: readonly W[]): OwnRows;
}

/** A kind whose types only its own functions know. */
export type AnyGroupedChange = GroupedChange<unknown, FoundRow, unknown, unknown, unknown>;
