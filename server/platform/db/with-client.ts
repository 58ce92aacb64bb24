import pg from "pg";

/** A client that is open, or what one is opened with. */
export type ClientOrConfig = pg.ClientBase | pg.ClientConfig;

/** Calls `use` with the client that is given, or with one that is open for as long as `use` takes. */
export async function withClient<T>(
  database: ClientOrConfig,
  use: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  if ("query" in database) return use(database);
  const client = new pg.Client(database);
  // When the connection breaks, the statement fails as well, and reports the reason.
  client.on("error", () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
