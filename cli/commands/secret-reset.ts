import { resetSecret } from "../../server/accounts/secret-reset/reset.ts";
import { Keyring } from "../../server/platform/crypto/keyring.ts";
import { readSecret } from "../../server/platform/crypto/secret.ts";
import { Database } from "../../server/platform/db/database.ts";
import { migrate } from "../../server/platform/db/migrate.ts";
import { command, exitCodes } from "../command.ts";
import { withStoppedServer } from "../installation/stopped-server.ts";
import { jsonOption, print } from "../options/json.ts";

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
encrypted under it can't be read by anybody. Restore the secret from a backup if there is any. A secret
that is known is replaced by \`secret rotate\`, which keeps more. Stop all servers on the database first. Then this makes a new secret, or takes the one that is set, and:
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
    const counts = await withStoppedServer(environment, async (connection, config) => {
      await migrate(connection);
      const database = await Database.open(connection, { laneSize: 1, pipelines: 1, limits: WITHOUT_SERVER });
      try {
        const keyring = new Keyring(readSecret(config));
        return await database.transaction((tx) => resetSecret(tx, keyring), { lane: "background" });
      } finally {
        await database.close();
      }
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
