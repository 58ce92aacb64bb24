import { listBackups, type Manifest } from "../../server/platform/backup/manifest.ts";
import { openTarget } from "../../server/platform/backup/open-target.ts";
import { command, exitCodes } from "../command.ts";
import { jsonOption, printAll } from "../options/json.ts";
import { targetPlace } from "../options/target-place.ts";
import { describeBytes } from "../terminal/bytes.ts";

export const backupList = command({
  usage: ["backup list [--json] TARGET"],
  details: `
Lists the backups in a target, the newest last: its id, the moment that it shows, and what it has. A
backup that was not finished is not listed.`,
  options: { json: jsonOption },
  words: { min: 1, max: 1 },
  async run({ values, words: [place = ""], environment }) {
    const backups = await listBackups(openTarget(targetPlace(environment, place)));
    printAll(values, backups, asLine, backupData);
    if (backups.length === 0) process.stderr.write("No backup was ever finished there.\n");
    return exitCodes.ok;
  },
});

function asLine({ id, finishedAt, database, files, secret, parley }: Manifest): string {
  const parts = [
    id,
    finishedAt,
    `database ${describeBytes(database.bytes)}`,
    `${files.count} files ${describeBytes(files.bytes)}`,
    secret.kind === "left out" ? "no secret" : "with secret",
    `Parley ${parley}`,
  ];
  return parts.join("  ");
}

/** Without the secret, and without what only the program needs. */
export function backupData(backup: Omit<Manifest, "format">): object {
  const { id, startedAt, finishedAt, parley, schema, secret, database, files } = backup;
  return {
    id,
    started_at: startedAt,
    finished_at: finishedAt,
    parley,
    schema,
    secret: secret.kind,
    database_bytes: database.bytes,
    files: files.count,
    file_bytes: files.bytes,
  };
}
