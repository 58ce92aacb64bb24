import path from "node:path";
import type { Config } from "../../server/config.ts";
import { type BackupSource, type MadeBackup, makeBackup } from "../../server/platform/backup/backup.ts";
import { isCopy } from "../../server/platform/backup/copy-mark.ts";
import { parseKeepRule } from "../../server/platform/backup/keep-rule.ts";
import type { StoredSecret } from "../../server/platform/backup/manifest.ts";
import { openTarget } from "../../server/platform/backup/open-target.ts";
import { noticeCopy } from "../../server/platform/backup/place-mark.ts";
import { storedSecretOf } from "../../server/platform/backup/stored-secret.ts";
import { openFileStorage } from "../../server/platform/file-storage/open-storage.ts";
import { startEmbeddedPostgres } from "../../server/platform/postgres/launcher.ts";
import type { Connection as SocketConnection } from "../../server/platform/postgres/ready.ts";
import { CommandError, command, exitCodes } from "../command.ts";
import { findRunning, readInstallationConfig, requireData, withMode } from "../installation/installation.ts";
import { jsonOption, print } from "../options/json.ts";
import { targetPlace } from "../options/target-place.ts";
import { describeBytes } from "../terminal/bytes.ts";
import { backupData } from "./backup-list.ts";

export const backup = command({
  usage: ["backup [--keep RULE] [--without-secret] TARGET"],
  details: `
Backs up the whole installation to a directory or to s3://bucket/prefix: database, files and secret, as
they are at one moment. The server may run meanwhile, or not. A target takes many backups, and each
writes only what has changed since the one before. Without the secret nobody's API key works after a
restore, so keep it elsewhere if you leave it out. docs/backup.md says more.

See also: parley backup list, parley backup verify, parley restore.`,
  options: {
    keep: {
      value: "RULE",
      description: "Then delete older backups but for these: 7d,4w,6m is one of each day, week and month.",
    },
    json: jsonOption,
    "without-secret": { description: "Leave the secret out, for a target that others can read." },
  },
  words: { min: 1, max: 1 },
  async run({ values, words: [place = ""], environment }) {
    const config = readInstallationConfig(environment);
    const target = openTarget(targetPlace(environment, place), config);
    const keep = values.keep === undefined ? undefined : parseKeepRule(values.keep);
    // Its server, which would notice that it was copied by hand, may not have been started yet.
    if (config.databaseUrl === undefined) noticeCopy(config.dataDir);
    if (isCopy(config.dataDir))
      throw new CommandError(
        "installation-copy",
        `${config.dataDir} is a copy of an installation, which has backups of its own. Delete ${path.join(config.dataDir, "copy")} if the copy has taken its place.`,
      );
    const startedAt = performance.now();
    const made = await withPostgres(config, async (connection) => {
      const secret: StoredSecret = values["without-secret"]
        ? { kind: "left out" }
        : await storedSecretOf(await withMode(environment, config, connection), connection);
      const source: BackupSource = { connection, files: openFileStorage(config), secret };
      return makeBackup(source, target, keep);
    });
    print(values, describe(made, target.name, performance.now() - startedAt), {
      ...backupData(made.manifest),
      target: target.name,
      written_bytes: made.written.bytes,
      deleted: made.deleted,
    });
    return exitCodes.ok;
  },
});

/** Runs `use` on the embedded database of the installation, whether its server is running or not. */
async function withPostgres<T>(
  config: Config,
  use: (connection: SocketConnection) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== undefined) {
    throw new CommandError(
      "database-not-embedded",
      "DATABASE_URL names a PostgreSQL of your own, which this command does not back up. Back it up with its own tools, such as pgBackRest, and with it PARLEY_SECRET and the files. docs/backup.md has an example.",
    );
  }
  const running = await findRunning(config.dataDir);
  if (running) return use(running as SocketConnection);
  requireData(config.dataDir);
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    return await use(connection);
  } finally {
    await stop();
  }
}

function describe({ manifest, written, deleted }: MadeBackup, target: string, tookMs: number): string {
  const { id, database, files, secret } = manifest;
  return [
    `Backup ${id} is in ${target}.`,
    `  database  ${describeBytes(database.bytes)}`,
    `  files     ${files.count}, ${describeBytes(files.bytes)}`,
    `  secret    ${describeSecret(secret)}`,
    `  written   ${describeBytes(written.bytes)} in ${(tookMs / 1000).toFixed(1)} s`,
    ...(deleted.length > 0 ? [`  deleted   ${deleted.join(", ")}`] : []),
    "",
  ].join("\n");
}

function describeSecret({ kind }: StoredSecret): string {
  if (kind === "included") return "included, so nobody else may read the backup";
  if (kind === "development") return "the constant of development mode";
  return "left out; keep it elsewhere, since nothing works without it";
}
