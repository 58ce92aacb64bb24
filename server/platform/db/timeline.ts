import { DatabaseUnavailable } from "./database-unavailable.ts";

/**
 * An SQL expression: the cluster and its timeline, as text. A restored dump has another cluster. A replica
 * that took over, and a restored backup that was brought forward from its log, have another timeline.
 */
export const TIMELINE = `select system_identifier || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
  from pg_control_system()`;

/**
 * Refuses connections to a database other than the one that this node began with. Such a database may lack
 * what this node knows to be committed, so the node must start again.
 */
export class TimelineGuard {
  /** Resolves when another database was met. */
  readonly replaced: Promise<void>;
  #known: string | undefined;
  #report: () => void = () => {};

  constructor() {
    this.replaced = new Promise((resolve) => {
      this.#report = resolve;
    });
  }

  /** The first database is the one to stay with. Throws DatabaseUnavailable for another. */
  check(timeline: string): void {
    this.#known ??= timeline;
    if (this.#known !== timeline) throw this.markReplaced();
  }

  /** Returns the error for the caller to throw. */
  markReplaced(): DatabaseUnavailable {
    this.#report();
    return new DatabaseUnavailable(new Error("the database is not the one that this server began with"));
  }
}
