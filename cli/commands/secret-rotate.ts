import { readFileSync } from "node:fs";
import pg from "pg";
import { rotateSecret } from "../../server/accounts/secret-rotation/rotate.ts";
import type { Config } from "../../server/config.ts";
import { Keyring } from "../../server/platform/crypto/keyring.ts";
import {
  dropPreparedSecret,
  prepareSecret,
  usePreparedSecret,
} from "../../server/platform/crypto/prepared-secret.ts";
import { checkLength, newSecret, readSecret } from "../../server/platform/crypto/secret.ts";
import type { Connection } from "../../server/platform/db/database.ts";
import { migrate } from "../../server/platform/db/migrate.ts";
import { checkSecret } from "../../server/platform/db/secret-check.ts";
import { lockSecretCheck } from "../../server/platform/db/stored-secret-check.ts";
import { queryableOn } from "../../server/platform/db/transaction.ts";
import { CommandError, command, exitCodes, UsageError } from "../command.ts";
import { readInstallationConfig } from "../installation/installation.ts";
import { becomeOwner } from "../installation/owner.ts";
import { checkAlone, withStoppedServer } from "../installation/stopped-server.ts";
import { jsonOption, print } from "../options/json.ts";

const EFFECTS = `
  - API keys, tokens of outgoing webhooks, authenticator apps, passkeys, passwords, invitation links for
    many people and mails that wait stay as they are
  - all sessions end, and people sign in again
  - recovery codes are removed: people with an authenticator app make new ones
  - links in mails that were sent end: for other passwords, new accounts and addresses, and those that
    stop a kind of mail. Mailed invitations stay in the list, to be sent again
  - temporary links to files and to exports end`;

export const secretRotate = command({
  usage: ["secret rotate --yes", "secret rotate --yes --new-secret-file FILE"],
  details: `
Another secret in place of one that you have: because a policy asks for it, or because others may have seen
it. For one that is lost there is \`secret reset\`. Stop all servers on the database first. The file secret in
the data directory is replaced. If PARLEY_SECRET is set, FILE has the new one. Then:
${EFFECTS}

Messages, files and settings stay as they are. Somebody who had the old secret and a copy of the database has
the API keys too: then use \`secret reset\` afterwards, which replaces them.`,
  options: {
    yes: { description: "Do it. Without this option nothing is changed." },
    "new-secret-file": {
      value: "FILE",
      description: "The new secret, for servers with PARLEY_SECRET.",
    },
    json: jsonOption,
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    if (!values.yes) {
      print(values, `Nothing was changed. This would do:\n${EFFECTS}\n\nAdd --yes to do it.\n`, {
        rotated: null,
      });
      return exitCodes.failure;
    }
    const file = values["new-secret-file"];
    const { databaseUrl, dataDir, secret } = readInstallationConfig(environment);
    // The new file must be the server's user's, like the old one.
    if (databaseUrl === undefined) becomeOwner(dataDir);
    const counts = await withStoppedServer(environment, async (connection, config) => {
      await checkSecret(config, connection);
      await migrate(connection);
      return rotate(connection, config, file);
    });
    const lines = [...counts].map(([name, count]) => `${count} ${name}\n`);
    print(values, `${lines.join("")}${ending(secret !== undefined, file)}`, {
      rotated: Object.fromEntries(counts),
    });
    return exitCodes.ok;
  },
});

function ending(isGiven: boolean, file: string | undefined): string {
  const next = isGiven
    ? `The database has the secret in ${file} now. Set PARLEY_SECRET to it for all servers before they start.`
    : "The data directory has another secret now. Start the server.";
  return `${next} Make a backup: those of before have the old secret.\n`;
}

async function rotate(
  connection: Connection,
  config: Config,
  file: string | undefined,
): Promise<Map<string, number>> {
  const before = readSecret(config);
  const isGiven = config.secret !== undefined;
  const next = chooseSecret(config, before, file);
  if (!isGiven) prepareSecret(config.dataDir, next);
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  let isCommitting = false;
  let counts: Map<string, number>;
  try {
    await client.query("begin");
    // The file follows the commit, so the commit must outlast a power cut.
    await client.query("set local synchronous_commit = on");
    const tx = queryableOn(client);
    await lockSecretCheck(tx);
    if (config.databaseUrl !== undefined) await checkAlone(client);
    counts = await rotateSecret(tx, new Keyring(before), new Keyring(next));
    isCommitting = true;
    await client.query("commit");
  } catch (error) {
    if (isCommitting) throw unknownOutcome(isGiven, error);
    if (!isGiven) dropPreparedSecret(config.dataDir);
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
  if (!isGiven) usePreparedSecret(config.dataDir);
  return counts;
}

/** Throws for a secret that others could guess, or that changes nothing. */
function chooseSecret(config: Config, before: string, file: string | undefined): string {
  if (config.isDevelopment && config.secret === undefined)
    throw new CommandError(
      "secret-constant",
      "The secret of development mode is a constant, so it can't be replaced.",
    );
  if (config.secret === undefined) {
    if (file !== undefined)
      throw new UsageError(
        "The secret is in a file of the data directory, which gets a random one: leave out --new-secret-file.",
      );
    return newSecret();
  }
  if (file === undefined)
    throw new UsageError("PARLEY_SECRET is set, so name the new one: --new-secret-file FILE.");
  const secret = readGiven(file);
  checkLength(secret, file);
  if (secret === before)
    throw new CommandError("value-refused", `${file} has the secret of before. Write another one into it.`);
  return secret;
}

function readGiven(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new CommandError(
      "file-missing",
      `${file} can't be read (${(error as NodeJS.ErrnoException).code}).`,
      {
        cause: error,
      },
    );
  }
}

function unknownOutcome(isGiven: boolean, cause: unknown): CommandError {
  return new CommandError(
    "database-away",
    `The database went away at the very end, so it has the new secret or the old one. ${
      isGiven
        ? "Start the server with the new one, and with the old one if it refuses that."
        : "Start the server: it finds out by itself, as both are in the data directory."
    }`,
    { cause },
  );
}
