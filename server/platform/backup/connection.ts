import pg from "pg";
import type { Queryable } from "../db/database.ts";
import { asQuery } from "../db/transaction.ts";
import type { Connection } from "../postgres/ready.ts";

/**
 * Runs `use` with a connection of its own to an embedded PostgreSQL. No statement of it has a limit of
 * time.
 */
export async function withConnection<T>(
  connection: Connection,
  use: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, password: "", ssl: false });
  // When it breaks, the statement fails as well.
  client.on("error", () => {});
  await client.connect();
  try {
    return await use({
      query: async <Row>(statement: Parameters<typeof asQuery>[0]) =>
        (await client.query(asQuery(statement))).rows as Row[],
    });
  } finally {
    await client.end().catch(() => {});
  }
}
