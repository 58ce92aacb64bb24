import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

export async function findSecretCheck(db: Queryable): Promise<Buffer | undefined> {
  const [row] = await db.query<{ value: Buffer }>(sql`select value from secret_check`);
  return row?.value;
}

/** Leaves a value that is there already. */
export async function insertSecretCheck(db: Queryable, value: Buffer): Promise<void> {
  await db.query(sql`insert into secret_check (value) values (${value}) on conflict do nothing`);
}

export async function replaceSecretCheck(db: Queryable, value: Buffer): Promise<void> {
  await db.query(sql`
    insert into secret_check (value) values (${value}) on conflict (is_only) do update set value = excluded.value`);
}

/** Starts of servers, which compare their secrets first, wait for the end of the transaction. */
export async function lockSecretCheck(tx: Queryable): Promise<void> {
  await tx.query(sql`lock table secret_check in access exclusive mode`);
}
