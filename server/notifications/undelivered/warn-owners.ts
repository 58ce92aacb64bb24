/** Owners hear of mail that does not leave the server: those who run it may not read its log. */
import { roles } from "../../../api/roles.ts";
import { postMessages } from "../../messages/send/post.ts";
import { organization } from "../../organization/organization.ts";
import { type User, users } from "../../people/user.ts";
import { isCopy } from "../../platform/backup/copy-mark.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { claimWarning, listStuckMails, type StuckMails } from "./store.ts";

/** Tells the owners of each organization whose mails wait, at most once a day. */
export const warnOfStuckMails = definePeriodicJob({
  name: "warn_of_stuck_mails",
  schedule: "27 * * * *",
  isMadeUpFor: false,
  async run({ config, database, organizations }: Pick<Services, "config" | "database" | "organizations">) {
    if (isCopy(config.dataDir)) return;
    for (const stuck of await database.snapshot(listStuckMails)) await tellOwners(organizations, stuck);
  },
});

/** Names no place of the server and no reason, which are its operator's to read. */
async function tellOwners(
  organizations: Services["organizations"],
  { organizationId, count, oldestAt }: StuckMails,
): Promise<void> {
  const state = await organizations.byId(organizationId);
  if (!state.get(organization).isActive) return;
  const waiting =
    count === 1 ? "one mail of this organization waits" : `${count} mails of this organization wait`;
  const content = `No mail has left this server for an hour, and ${waiting}, the oldest since <time:${oldestAt.toISOString()}>. Invitations and links to set a password don't arrive meanwhile. \`parley mail queue\` on the server says why.`;
  await runStateChange(state, async (tx) => {
    if (!(await claimWarning(tx, organizationId))) return;
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
