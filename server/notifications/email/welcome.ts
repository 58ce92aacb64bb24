/** The mail to people who have joined: where their organization is, and how they sign in. */
import { Type } from "typebox";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { unsubscribeUrl } from "../../accounts/mail-preferences/links.ts";
import { ending } from "../../accounts/mail-preferences/person-mail.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { ownSiteOf } from "../../organization/site.ts";
import { newcomers } from "../../people/create-person.ts";
import { type User, users } from "../../people/user.ts";
import { html } from "../../platform/http/page.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import { enqueueMail } from "../../platform/mail/enqueue.ts";
import { headerText, type MailContent } from "../../platform/mail/mail.ts";
import type { Services } from "../../services.ts";
import { canGetMail } from "./reason.ts";

export const mailWelcome = defineJob({
  name: "mail_welcome",
  payload: Type.Object({ organizationId: Type.Integer(), userId: Type.Integer() }),
  async run(services: Pick<Services, "config" | "keyring" | "organizations">, { organizationId, userId }) {
    const state = await services.organizations.byId(organizationId as OrganizationId);
    await state.catchUp();
    const user = state.get(users).byId.get(userId as UserId);
    if (!state.get(organization).isActive || !canGetMail(user)) return;
    const site = await ownSiteOf(services, state);
    const stopUrl = unsubscribeUrl(services.keyring, state, user, "welcome", site);
    const content = welcomeMail(state.get(organization).name, user, { site, stopUrl });
    await state.database.transaction(({ query }) =>
      enqueueMail({ query, state }, services, {
        kind: "welcome",
        to: user.email,
        content,
        headers: { unsubscribeUrl: stopUrl },
      }),
    );
  },
});

/** The accounts of the demo, and the owner with whom an organization begins, get none. */
export const welcomeMails: BeforeCommitHook = {
  projections: [users.name],
  async run(tx) {
    const newcomer = newcomers.of(tx);
    if (!newcomer || !settingOf(tx.state, organizationSettings.sendWelcomeEmails)) return;
    const { organizationId } = tx.state;
    await enqueue(tx, mailWelcome, { organizationId, userId: newcomer.id });
  },
};

function welcomeMail(
  organizationName: string,
  user: User,
  { site, stopUrl }: { site: string; stopUrl: string },
): MailContent {
  const name = headerText(organizationName);
  const greeting = `Welcome to ${name}, ${headerText(user.fullName)}!`;
  const how = `Your account is ready. Sign in with ${user.email} and your password, in a client that is connected to this address:`;
  const end = ending(["Replies to this mail are not read."], stopUrl);
  return {
    subject: `Welcome to ${name}`,
    text: `${greeting}\n\n${how}\n\n${site}\n\n${end.text}`,
    html: html`<p>${greeting}</p>
<p>${how}</p>
<p><a href="${site}">${site}</a></p>
${end.html}`,
  };
}
