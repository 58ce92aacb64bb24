import { ApiError, errors } from "../../../../api/errors.ts";
import { checkEmailAllowed } from "../../../organization/allowed-emails/check-email.ts";
import { organization } from "../../../organization/organization.ts";
import { parseHiddenEmail } from "../../../people/email/hidden-email.ts";
import { parseEmail } from "../../../people/names.ts";
import { users } from "../../../people/user.ts";
import { type Change, runContentChange } from "../../../platform/log/change.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import { enqueueMail } from "../../../platform/mail/enqueue.ts";
import type { MailContent } from "../../../platform/mail/mail.ts";
import type { Services } from "../../../services.ts";
import { mayMailTo } from "../../mailed-codes/asked-mails.ts";
import { countMailByLink } from "../../sign-in/mail-limits.ts";
import { useDay } from "../actions.ts";
import type { Invitation } from "../invitation.ts";
import { accountMail, invitationMail, linkOf } from "../mails.ts";
import { countConfirmations, lockByToken, upsertInvitations } from "../store.ts";
import { InvitationEnded, isUsable } from "./usable.ts";

const CONFIRMATION_HOURS = 24;
/** How many people a link waits for. So who has one can't use up what others invite that day. */
const MAX_WAITING = 200;

/**
 * Mails a link to an address that somebody gave who has an invitation link. By that link one person joins
 * with this address. It ends with the invitation link. An address that has an account gets a mail that says
 * so, after the same work: neither the page nor its time may tell who has one. Both take a place of the link
 * and of the day, and both get a mail as often as `mayMailTo` says.
 */
export async function mailConfirmation(
  services: Pick<Services, "config" | "keyring" | "mailer">,
  state: OrganizationState,
  { code, email: text, site, address }: { code: string; email: string; site: string; address: string },
): Promise<void> {
  const { keyring } = services;
  const hash = keyring.hashToken(code);
  if (!hash) throw new InvitationEnded();
  const email = parseEmail(text);
  if (parseHiddenEmail(state, email) !== undefined) throw new ApiError(errors.invalidEmail);
  await countMailByLink(state, address);
  await runContentChange(state, async (tx) => {
    const link = await lockByToken(tx, state.organizationId, hash);
    if (!link || link.email !== null || !isUsable(services, state, link)) throw new InvitationEnded();
    checkEmailAllowed(state, email);
    // What is refused is the same for everybody. So it tells nothing about the address.
    await useDay(tx, services, 0);
    if ((await countConfirmations(tx, state.organizationId, link.id)) >= MAX_WAITING)
      throw new ApiError(errors.invitationFailed, linkIsBusy);
    if (!(await mayMailTo(tx, services, `link ${link.id}`, email))) return;
    await useDay(tx, services, 1);
    // Somebody who has an account takes a place too. Else the last one would tell who has.
    const confirmation = await insertConfirmation(tx, services, link, email);
    const known = state.get(users).findByEmail(email);
    await enqueueMail(tx, services, {
      kind: known ? "account notice" : "confirmation of an address",
      to: known ? known.email : email,
      content: mailFor(
        { organizationName: state.get(organization).name, site, isKnown: known !== undefined },
        confirmation,
      ),
    });
  });
}

function mailFor(
  { organizationName, site, isKnown }: { organizationName: string; site: string; isKnown: boolean },
  { token, expiresAt }: { token: string; expiresAt: Date },
): MailContent {
  if (isKnown) return accountMail({ organizationName, site });
  return invitationMail({ organizationName, inviterName: undefined, link: linkOf(site, token), expiresAt });
}

const linkIsBusy = {
  reason:
    "Too many people have asked for this link today and not joined. Ask the person who invited you for an invitation of your own.",
  skipped: [],
  hasSent: false,
  isDailyLimit: true,
};

async function insertConfirmation(
  tx: Change,
  { keyring }: Pick<Services, "keyring">,
  link: Invitation,
  email: string,
) {
  const invitedAt = new Date();
  const latest = new Date(invitedAt.getTime() + CONFIRMATION_HOURS * 3_600_000);
  const expiresAt = link.expiresAt && link.expiresAt < latest ? link.expiresAt : latest;
  const token = keyring.newToken();
  const row = { ...link, parentId: link.id, encryptedToken: null, invitedAt, expiresAt };
  const invitee = { email, tokenHash: keyring.hash(token) };
  await upsertInvitations(tx, tx.state.organizationId, row, [invitee]);
  return { token, expiresAt };
}
