import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { SUPERUSER } from "./cluster.ts";
import { errorCode } from "./start-error.ts";

export interface Connection {
  host: string;
  port: number;
  user: string;
  database: string;
}

const POLL_MS = 10;

/** No socket yet, no listener yet, or "the database system is starting up" (57P03), as after a crash. */
const startingCodes = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE", "57P03"];

/** A new cluster has neither our role (28000) nor our database (3D000). */
const missingCodes = ["28000", "3D000"];

/** Resolves once `connection` can be opened. Creates its role and database in a new cluster. */
export async function waitUntilReady(connection: Connection, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await withClient(connection, async () => {});
      return;
    } catch (error) {
      const code = errorCode(error) ?? "";
      if (missingCodes.includes(code)) {
        await createDatabase(connection);
      } else if (startingCodes.includes(code) || isCutOff(error)) {
        await sleep(POLL_MS);
      } else {
        throw error;
      }
    }
  }
}

/**
 * Parley's own role has no rights over other databases, and can't reach files or programs through SQL.
 * Renaming the database that every new cluster has is faster than creating one.
 */
async function createDatabase({ user, database, ...place }: Connection): Promise<void> {
  await withClient({ ...place, user: SUPERUSER, database: "template1" }, async (client) => {
    const [role, name] = [pg.escapeIdentifier(user), pg.escapeIdentifier(database)];
    await client.query(
      `create role ${role} login; alter database postgres rename to ${name}; alter database ${name} owner to ${role}`,
    );
  });
}

async function withClient(connection: Connection, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...connection, password: "", ssl: false });
  client.on("error", () => {});
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function isCutOff(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Connection terminated");
}
