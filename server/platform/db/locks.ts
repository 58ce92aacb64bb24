import type { Queryable } from "./database.ts";
import { type Sql, sql } from "./sql.ts";

/**
 * The advisory locks of the server, all in PostgreSQL's space of two numbers: a class, which is one of these,
 * and an object. Nodes of different versions run side by side during an upgrade, so a number never changes
 * its meaning.
 */
export const lockClasses = {
  /**
   * Changes of who may do what run one after another; object: the organization. To the end of the
   * transaction.
   */
  state: 7201,
  /** Making and dropping the partitions of the log; object: 0. */
  partitions: 7202,
  /** A node that works on jobs is alive; object: a hash of the node's name. As long as its session lasts. */
  lease: 7203,
  /** The reading of a channel does not end while read states are written; object: the organization. */
  readState: 7204,
  // 7205 kept read states as they are while they were announced, before these were locked by topic.
  /** Making the demo organization; object: 0. */
  demo: 7206,
  /**
   * Changes of what one person keeps for themselves run one after another; object: the person. To the end of
   * the transaction. See `own-lists.ts`.
   */
  ownLists: 7207,
  /** Batches of presence are written one after another; object: 0. See `presence/exchange.ts`. */
  presence: 7212,
  /**
   * Topics of one name are made one after another; object: a hash of the channel and the name. To the end of
   * the transaction.
   */
  newTopics: 7220,
  /**
   * What people add to a message is added one after another, so that it stands there in the order of its
   * events; object: a hash of the organization and the message. To the end of the transaction.
   */
  additions: 7221,
  /**
   * Messages stay in their topics while read states are written, and read states stay while they are
   * announced; object: of the organization and the topic or conversation. See `read-state-lock.ts`.
   */
  readPlaces: 7222,
  /** One import to a host name runs at a time; object: a hash of the name. As long as its session lasts. */
  imports: 7223,
  /** One backup is made at a time; object: 0. As long as the session of the backup lasts. */
  backup: 7224,
  /**
   * A server works on the database; object: the schema that it knows. Shared, as long as its session lasts.
   */
  servers: 7225,
  /**
   * Marks of one person are written one after another, so that two of them never wait for each other's rows;
   * object: the person. To the end of the transaction. See `read-state-lock.ts`.
   */
  readMarks: 7226,
  /**
   * A person's policy for a topic is written by one transaction after another; object: of the topic and the
   * person. To the end of the transaction. See `user-topics/grouped-store.ts`.
   */
  topicPolicies: 7227,
  /** Making tables, "parl" as a number; object: one of `schemaObjects`. */
  schema: 0x7061726c,
} as const;

export type LockClass = (typeof lockClasses)[keyof typeof lockClasses];

/** Whose tables are being made. */
export const schemaObjects = { migrations: 1, jobs: 2 } as const;

/** The second number of a lock, as the statements below make it of an object. */
export function lockObject(object: number): number {
  return object % 2147483647;
}

/** Waits for the lock and holds it alone to the end of the transaction. */
export function lockQuery(lockClass: LockClass, object: number): Sql {
  return sql`select pg_advisory_xact_lock(${lockClass}::int, (${object}::bigint % 2147483647)::int)`;
}

/** Waits for the lock and shares it to the end of the transaction. */
export function shareQuery(lockClass: LockClass, object: number): Sql {
  return sql`select pg_advisory_xact_lock_shared(${lockClass}::int, (${object}::bigint % 2147483647)::int)`;
}

/** Takes the lock for the session if nobody else holds it, and gives `isHeld`. */
export function tryLockQuery(lockClass: LockClass, object: number): Sql {
  return sql`
    select pg_try_advisory_lock(${lockClass}::int, (${object}::bigint % 2147483647)::int) as "isHeld"`;
}

/** For `Database.lockedSession`: how to take a lock for several transactions, and how to give it back. */
export interface SessionLock {
  take: Sql;
  release: Sql;
}

/** How long the lock outlives the last statement of a node that was stopped between two transactions. */
const IDLE_WITH_LOCK_MS = 8_000;

/** Waits for the lock and holds it alone until it is released, or the session ends. */
export function sessionLock(lockClass: LockClass, object: number): SessionLock {
  return {
    take: sql`
      select pg_advisory_lock(${lockClass}::int, (${object}::bigint % 2147483647)::int),
        set_config('idle_session_timeout', ${String(IDLE_WITH_LOCK_MS)}, false)`,
    release: sql`
      select pg_advisory_unlock(${lockClass}::int, (${object}::bigint % 2147483647)::int),
        set_config('idle_session_timeout', '0', false)`,
  };
}

/** LOCK: waits for the lock and holds it alone to the end of the transaction. */
export async function lockToCommit(tx: Queryable, lockClass: LockClass, object: number): Promise<void> {
  await tx.query(lockQuery(lockClass, object));
}

/** LOCK: waits for the locks, in this order, and shares them to the end of the transaction. */
export async function shareToCommit(
  tx: Queryable,
  classes: readonly LockClass[],
  object: number,
): Promise<void> {
  for (const lockClass of classes) await tx.query(shareQuery(lockClass, object));
}
