/** One transaction on one connection: how it runs, ends and fails. */
import type pg from "pg";
import type { LastTransaction, Queryable } from "./database.ts";
import { DatabaseUnavailable, isDatabaseUnavailable, OutcomeUnknown } from "./database-unavailable.ts";
import type { Sql } from "./sql.ts";

/** A connection that was taken from its lane. `broken`: why it can't be used again. */
export interface Held {
  readonly client: pg.PoolClient;
  broken: Error | undefined;
}

/** Runs `work` in the transaction that was begun, and commits or rolls back: see `Database.transaction`. */
export async function runToCommit<T>(held: Held, work: (tx: LastTransaction) => Promise<T>): Promise<T> {
  const { client } = held;
  let isCommitting = false;
  const commitWith = async <Row>(statement: Sql): Promise<Row[]> => {
    isCommitting = true;
    const [last] = await allSettledOrThrow([client.query(asQuery(statement)), client.query("commit")]);
    return (last as pg.QueryResult).rows as Row[];
  };
  try {
    const result = await work({ client, ...queryableOn(client), commitWith });
    if (!isCommitting) {
      isCommitting = true;
      await client.query("commit");
    }
    return result;
  } catch (error) {
    await endWith(held, "rollback");
    if (!isDatabaseUnavailable(error)) throw error;
    // Without its connection a transaction is rolled back, but a commit under way may have been executed.
    throw isCommitting ? new OutcomeUnknown(error) : new DatabaseUnavailable(error);
  }
}

/** Runs the last statement of a use of the connection. A connection on which it fails is broken. */
export async function endWith(held: Held, statement: string | pg.QueryConfig): Promise<void> {
  await held.client.query(statement as pg.QueryConfig).catch((error: Error) => {
    held.broken = error;
  });
}

/** Waits for all, so that no statement is under way when the first failure is handled. */
export async function allSettledOrThrow<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(promises);
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

export function queryableOn(client: pg.ClientBase): Queryable {
  return {
    query: async <Row>(statement: Sql) => (await client.query(asQuery(statement))).rows as Row[],
  };
}

export function asQuery(statement: Sql): pg.QueryConfig {
  return statement.name === undefined
    ? { text: statement.text, values: statement.values }
    : { name: statement.name, text: statement.text, values: statement.values };
}
