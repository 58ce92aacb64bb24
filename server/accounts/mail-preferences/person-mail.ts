/** What all mails to people of an organization have: where they lead, how they name it and how they end. */
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { isInSeveralOrganizations } from "../../people/email/several-organizations.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import type { User } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Html, html } from "../../platform/http/page.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { headerText } from "../../platform/mail/mail.ts";

const namePolicies = { ifSeveral: 1, always: 2, never: 3 };

/** The subject, with the organization's name in front if the person wants that. */
export async function subjectFor(
  state: OrganizationState,
  tx: Queryable,
  user: User,
  subject: string,
): Promise<string> {
  const policy = userSettingOf(user, userSettings.realmNameInEmailNotificationsPolicy);
  const isNamed =
    policy === namePolicies.always ||
    (policy === namePolicies.ifSeveral && (await isInSeveralOrganizations(tx, user.email)));
  return isNamed ? `[${headerText(state.get(organization).name)}] ${subject}` : subject;
}

/** Why a mail holds no messages: whose setting says so. undefined: it holds them. */
export function contentHiddenBy(state: OrganizationState, user: User): "organization" | "person" | undefined {
  if (!settingOf(state, organizationSettings.messageContentAllowedInEmailNotifications)) {
    return "organization";
  }
  return userSettingOf(user, userSettings.messageContentInEmailNotifications) ? undefined : "person";
}

/** A time as people write it, where the person is. */
export function timeFor(user: User, time: Date): string {
  const timeZone = userSettingOf(user, userSettings.timezone);
  const shown = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "medium", timeStyle: "short" });
  return `${shown.format(time)} (${timeZone})`;
}

/** The last lines of a mail. `stopUrl`: where people end such mails, unless they get them in any case. */
export function ending(lines: readonly string[], stopUrl: string | undefined): { text: string; html: Html } {
  const shown = lines.map((line) => html`<p>${line}</p>\n`);
  if (stopUrl === undefined) return { text: `-- \n${lines.join("\n")}\n`, html: html`<hr>\n${shown}` };
  const stop = "To get no more mails of this kind, open this link:";
  return {
    text: `-- \n${lines.join("\n")}\n${stop}\n${stopUrl}\n`,
    html: html`<hr>
${shown}<p><a href="${stopUrl}">Get no more mails of this kind</a></p>
`,
  };
}
