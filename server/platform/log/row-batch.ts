import type { Position } from "../../../api/ids.ts";
import type { Sql } from "../db/sql.ts";
import type { LogEntry } from "./log-entry.ts";
import type { LogRange } from "./store.ts";

/** Entries of the log whose table is not `events`, such as messages, that one statement writes. */
interface WrittenRows {
  /** The entries. `range` is what the statement gave; the first position is the one after its `base`. */
  entriesFrom(range: LogRange): LogEntry[];
  /** The rows are committed. */
  sent(range: LogRange): void;
}

/** Rows that a group of changes writes itself, as its last entries. */
export interface OwnRows extends WrittenRows {
  readonly count: number;
  /**
   * Writes the rows. Gives a `LogRange`. `taken`: the transaction has taken `count` positions for them, which
   * are the last of the log. Otherwise the statement takes them, and fails with STALE_MEMORY if the memory
   * has changed since `expectedStateHead`. undefined: that is certain.
   */
  statement(positions: "taken" | { expectedStateHead: Position | undefined }): Sql;
}

/**
 * Rows that are written together. Alone, the statement is their whole transaction. Beside a group of changes
 * it is a part of theirs. `sent` or one of the functions below is called, once.
 */
export interface RowBatch extends WrittenRows {
  /**
   * Takes positions and writes the rows. Gives a `LogRange`, or nothing and writes nothing when the memory
   * has changed since the rows were checked.
   */
  readonly statement: Sql;
  /** The memory had changed. Nothing was written. */
  refused(): void;
  /** Nothing was written, for the sake of the changes beside them. The rows are written next, alone. */
  againAlone(): void;
  /** Nothing was written, or nobody knows whether it was. */
  failed(error: unknown): void;
}

/** Who has such rows. */
export interface RowSource {
  /** Whether rows wait. */
  readonly hasRows: boolean;
  /** The next rows, if any can be written now. `isBeside`: with a group of changes. */
  take(isBeside: boolean): RowBatch | undefined;
}
