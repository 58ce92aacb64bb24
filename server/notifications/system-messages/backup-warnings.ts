/**
 * Owners hear of backups that are not made: those who run the server may not read its log. The owners of the
 * server's first organization are told, since the others have no part in running it.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { roles } from "../../../api/roles.ts";
import { postMessages } from "../../messages/send/post.ts";
import { type User, users } from "../../people/user.ts";
import { type BackupRecord, isBackupOld, readBackupRecord } from "../../platform/backup/backup-record.ts";
import { isCopy } from "../../platform/backup/copy-mark.ts";
import { periodMs } from "../../platform/backup/times.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";

/** In the data directory: after which backup owners were told last. */
const TOLD = "backup-warning";

/** Tells them once, and again only when there was a good backup meanwhile. */
export const warnOfOldBackups = definePeriodicJob({
  name: "warn_of_old_backups",
  schedule: "17 * * * *",
  isMadeUpFor: false,
  async run({ config, organizations }: Pick<Services, "config" | "organizations">) {
    const { backup, backupAt, databaseUrl, dataDir } = config;
    if (backup === undefined || databaseUrl !== undefined || isCopy(dataDir)) return;
    const record = await readBackupRecord(dataDir);
    if (!record || !isBackupOld(record, new Date(), periodMs(backupAt))) return;
    const told = path.join(dataDir, TOLD);
    const after = record.newest?.id ?? `none since ${record.since}`;
    if ((await readFile(told, "utf8").catch(() => "")) === after) return;
    const state = await organizations.primary();
    if (!state) return;
    await tellOwners(state, record);
    await writeFile(told, after, { mode: 0o600 });
  },
});

/** Names no place of the server and no reason, which are its operator's to read. */
async function tellOwners(state: OrganizationState, { newest, since }: BackupRecord): Promise<void> {
  const what = newest
    ? `The last good backup of this server is from <time:${newest.finishedAt}>.`
    : `This server has made no good backup since <time:${since}>.`;
  const content = `${what} If its disk fails, everything after that is lost. \`parley doctor\` on the server says why no backup is made.`;
  await runStateChange(state, async (tx) => {
    const owners = [...tx.state.get(users).all()].filter(isOwner);
    await postMessages(
      tx,
      owners.map(({ id }) => ({ to: { userIds: [id] }, content })),
    );
  });
}

function isOwner({ role, isActive, botType }: User): boolean {
  return role === roles.owner && isActive && botType === null;
}
