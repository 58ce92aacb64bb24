/** The person who invited somebody learns that the mail did not arrive. */
import { listInviters } from "../../accounts/invitations/inviters.ts";
import { postMessages } from "../../messages/send/post.ts";
import { organization } from "../../organization/organization.ts";
import { users } from "../../people/user.ts";
import { isCopy } from "../../platform/backup/copy-mark.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { openMail } from "../../platform/mail/enqueue.ts";
import type { MailKind } from "../../platform/mail/mail.ts";
import { maskAddress } from "../../platform/mail/mask.ts";
import { listUntold, type UntoldMail } from "../../platform/mail/queue-store.ts";
import type { Services } from "../../services.ts";
import { claimMail } from "./store.ts";

const KINDS: readonly MailKind[] = ["invitation", "invitation reminder"];
/** The next run has the rest. */
const AT_ONCE = 100;

type Parts = Pick<Services, "config" | "database" | "keyring" | "organizations">;

export const tellInviters = definePeriodicJob({
  name: "tell_inviters",
  schedule: "*/10 * * * *",
  isMadeUpFor: false,
  async run(services: Parts) {
    if (isCopy(services.config.dataDir)) return;
    const mails = await services.database.snapshot((tx) => listUntold(tx, KINDS, AT_ONCE));
    for (const mail of mails) await tellInviter(services, mail);
  },
});

async function tellInviter(
  { keyring, organizations }: Pick<Services, "keyring" | "organizations">,
  mail: UntoldMail,
): Promise<void> {
  const { organizationId, id } = mail;
  const to = addressOf(keyring, mail);
  const state = await organizations.byId(organizationId);
  await runStateChange(state, async (tx) => {
    if (!(await claimMail(tx, organizationId, id)) || to === undefined) return;
    if (!tx.state.get(organization).isActive) return;
    const inviters = (await listInviters(tx, organizationId, to)).filter((inviterId) => {
      const inviter = tx.state.get(users).find(inviterId);
      return inviter?.isActive && inviter.botType === null;
    });
    if (inviters.length === 0) return;
    const content = contentOf(to, mail.refusal);
    await postMessages(
      tx,
      inviters.map((inviterId) => ({ to: { userIds: [inviterId] }, content })),
    );
  });
}

/**
 * The mail server's words are shown as code, so that nothing in them is a link or names anybody. What it says
 * of the installation, such as that its password is wrong, is for its operator alone.
 */
function contentOf(to: string, refusal: string | null): string {
  const why = refusal === null ? "" : `: \`${refusal.replaceAll("`", "'")}\``;
  return `The mail with your invitation to \`${maskAddress(to).replaceAll("`", "'")}\` could not be delivered${why}. Check the address, or give the person an invitation link.`;
}

/** undefined: it was written under an earlier secret. */
function addressOf(keyring: Keyring, { encrypted }: UntoldMail): string | undefined {
  try {
    return openMail(keyring, encrypted).to;
  } catch {
    return undefined;
  }
}
