import pg from "pg";
import { resetSecret } from "../../server/accounts/secret-reset/reset.ts";
import { Keyring } from "../../server/platform/crypto/keyring.ts";
import { readSecret } from "../../server/platform/crypto/secret.ts";
import { type Connection, Database } from "../../server/platform/db/database.ts";
import { migrate } from "../../server/platform/db/migrate.ts";
import { startEmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import { CommandError, command, exitCodes } from "../command.ts";
import { checkDatabase } from "../installation/database-check.ts";
import { findRunning, readInstallationConfig, requireData, withMode } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";

const OTHER_SESSIONS = `
  select from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** One transaction that may go through large tables. No server runs that it could make slower. */
const WITHOUT_SERVER = { statementTimeoutMs: 300_000, transactionTimeoutMs: 0 };

const EFFECTS = `
  - every account and every bot gets another API key, so programs need new ones
  - all sessions end, and people sign in again with their passwords, which stay
  - authenticator apps and recovery codes are removed: the password alone is enough until people set
    them up again; passkeys stay
  - tokens of outgoing webhooks are replaced
  - mails that wait, invitations and links in mails that were sent end
  - temporary links to files end, and pictures of other hosts in old messages are no longer shown`;

export const secretReset = command({
  usage: ["secret reset --yes"],
  details: `
For a secret that is lost for good: the file secret in the data directory, or PARLEY_SECRET. What was
encrypted under it can't be read by anybody. Restore the secret from a backup if there is any. Stop all
servers on the database first. Then this makes a new secret, or takes the one that is set, and:
${EFFECTS}

Messages, files, passwords and settings stay as they are.`,
  options: {
    yes: { description: "Do it. Without this option nothing is changed." },
    json: jsonOption,
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    if (!values.yes) {
      print(values, `Nothing was changed. This would do:\n${EFFECTS}\n\nAdd --yes to do it.\n`, {
        replaced: null,
      });
      return exitCodes.failure;
    }
    const counts = await withStoppedServer(environment, async (database, keyring) => {
      return database.transaction((tx) => resetSecret(tx, keyring), { lane: "background" });
    });
    const lines = [...counts].map(([name, count]) => `${count} ${name}\n`);
    print(
      values,
      `${lines.join("")}The database has another secret now. Start the server, and make a backup.\n`,
      { replaced: Object.fromEntries(counts) },
    );
    return exitCodes.ok;
  },
});

async function withStoppedServer<T>(
  environment: NodeJS.ProcessEnv,
  use: (database: Database, keyring: Keyring) => Promise<T>,
): Promise<T> {
  const config = readInstallationConfig(environment);
  const useDatabase = async (connection: Connection) => {
    await migrate(connection);
    const database = await Database.open(connection, { laneSize: 1, pipelines: 1, limits: WITHOUT_SERVER });
    try {
      return await use(database, new Keyring(readSecret(await withMode(environment, config, connection))));
    } finally {
      await database.close();
    }
  };
  if (config.databaseUrl !== undefined) {
    await checkDatabase(config.databaseUrl);
    const connection = { connectionString: config.databaseUrl };
    await checkAlone(connection);
    return useDatabase(connection);
  }
  if (await findRunning(config.dataDir))
    throw new CommandError("data-in-use", "A server is running on the data directory. Stop it first.");
  requireData(config.dataDir);
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    return await useDatabase(connection);
  } finally {
    await stop();
  }
}

/** Asked before anything of our own is connected for long. */
async function checkAlone(connection: Connection): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rowCount } = await client.query(OTHER_SESSIONS);
    if (rowCount === 0) return;
  } finally {
    await client.end();
  }
  throw new CommandError(
    "data-in-use",
    "Other programs use the database in DATABASE_URL. Stop all servers on it first.",
  );
}
