import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { ownSchema } from "../../server/platform/db/migrate.ts";
import { hasSecret } from "../../server/platform/db/secret-check.ts";
import { type ClientOrConfig, withClient } from "../../server/platform/db/with-client.ts";
import { CommandError } from "../command.ts";

const UPGRADE_MS = 20_000;
const FIRST_START_MS = 20_000;
const POLL_MS = 200;
const UNDEFINED_TABLE = "42P01";
const OTHER_SERVERS =
  "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'parley/%'";

/**
 * A command upgrades no database under a server: the server would go on with tables that it does not know,
 * and could not start again. Throws a CommandError if the database has an older schema than this program and
 * a server uses it, unless the server is just upgrading it: that has `waitMs`. `isServed`: whether one is
 * known to use it; otherwise the sessions of the database are asked.
 */
export async function refuseOlderServer(
  connection: ClientOrConfig,
  { isServed = false, waitMs = UPGRADE_MS } = {},
): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const found = await look(connection);
    if (found.schema >= ownSchema() || !(isServed || found.isServed)) return;
    if (Date.now() > deadline)
      throw new CommandError(
        "server-older",
        `The running server is of an older release (schema ${found.schema}; this command's is ${ownSchema()}). Use that release for commands, or stop the server, make a backup and start this one.`,
      );
    await sleep(POLL_MS);
  }
}

/**
 * Resolves once the server on this database has stored what tells its secret and its mode, which it does
 * after its migrations. Until then a command would take a demo for a server in production, and give the
 * database a secret with which the demo can't start. Throws a CommandError after `waitMs`.
 */
export async function waitForFirstStart(
  connection: ClientOrConfig,
  { waitMs = FIRST_START_MS } = {},
): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (!(await hasSecret(connection))) {
    if (Date.now() > deadline)
      throw new CommandError(
        "data-in-use",
        "The server is still in its first start. Run the command again when the server says where it listens.",
      );
    await sleep(POLL_MS);
  }
}

function look(connection: ClientOrConfig): Promise<{ schema: number; isServed: boolean }> {
  return withClient(connection, async (client) => ({
    schema: await readSchema(client),
    isServed: (await client.query(OTHER_SERVERS)).rowCount !== 0,
  }));
}

async function readSchema(client: pg.ClientBase): Promise<number> {
  try {
    const { rows } = await client.query<{ schema: number }>(
      "select coalesce(max(id), 0)::int as schema from migrations",
    );
    return rows[0]?.schema ?? 0;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return 0;
    throw error;
  }
}
