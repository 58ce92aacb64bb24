/** Reminds invited addresses, once, before their invitations end. The link of the first mail still works. */
import { Type } from "typebox";
import type { InvitationId, OrganizationId } from "../../../api/ids.ts";
import { organization } from "../../organization/organization.ts";
import { ownSiteOf } from "../../organization/site.ts";
import { users } from "../../people/user.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { runLocked } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { enqueueMail } from "../../platform/mail/enqueue.ts";
import type { Services } from "../../services.ts";
import { isUsable } from "./join/usable.ts";
import { invitationMail, linkOf } from "./mails.ts";
import { addReminder, findInvitation, listToRemind } from "./store.ts";

/** The rest is found an hour later. */
const AT_ONCE = 1000;

export const remindOfInvitations = definePeriodicJob({
  name: "remind_of_invitations",
  schedule: "41 * * * *",
  attempts: 1,
  isMadeUpFor: false,
  async run({ database }: Pick<Services, "database">) {
    await database.transaction(
      async (tx) => {
        for (const { organizationId, id } of await listToRemind(tx, AT_ONCE)) {
          const payload = { organizationId, invitationId: id };
          await enqueue(tx, remindOfInvitation, payload, { key: `${organizationId}.${id}` });
        }
      },
      { lane: "background" },
    );
  },
});

export const remindOfInvitation = defineJob({
  name: "remind_of_invitation",
  payload: Type.Object({ organizationId: Type.Integer(), invitationId: Type.Integer() }),
  async run(
    services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
    { organizationId, invitationId },
  ) {
    const state = await services.organizations.byId(organizationId as OrganizationId);
    await remind(services, state, invitationId as InvitationId);
  },
});

/** Does nothing for an invitation that was used or revoked, or that its inviter may no longer give. */
async function remind(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
  state: OrganizationState,
  id: InvitationId,
): Promise<void> {
  const { keyring } = services;
  const site = await ownSiteOf(services, state);
  await runLocked(state, async (tx) => {
    const invitation = await findInvitation(tx, state.organizationId, id);
    if (!invitation || invitation.email === null || !isUsable(services, state, invitation)) return;
    // The first mail has said so.
    if (state.get(users).findByEmail(invitation.email)) return;
    const token = keyring.newToken();
    if (!(await addReminder(tx, state.organizationId, id, keyring.hash(token)))) return;
    const content = invitationMail({
      organizationName: state.get(organization).name,
      inviterName: state.get(users).byId.get(invitation.inviterId)?.fullName,
      link: linkOf(site, token),
      expiresAt: invitation.expiresAt,
      isReminder: true,
    });
    await enqueueMail(tx, services, { kind: "invitation reminder", to: invitation.email, content });
  });
}
