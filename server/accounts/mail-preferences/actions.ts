import { userSettings } from "../../../api/people/user-settings.ts";
import type { UserSetting } from "../../../api/setting.ts";
import { endChannelMail } from "../../channels/subscriptions/preferences.ts";
import { updateUserSettings } from "../../people/settings/update-settings.ts";
import { type User, users } from "../../people/user.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { silenceSignIns } from "../sign-in-notices/silence.ts";
import type { MailKind } from "./links.ts";

/** The settings that cause mails of a kind. */
const settingsOf: Record<MailKind, readonly UserSetting[]> = {
  "missed-messages": [
    userSettings.enableOfflineEmailNotifications,
    userSettings.enableStreamEmailNotifications,
    userSettings.enableFollowedTopicEmailNotifications,
  ],
  "sign-in-notices": [userSettings.enableLoginEmails],
  welcome: [userSettings.enableMarketingEmails],
  digest: [userSettings.enableDigestEmails],
};

/**
 * The person gets no more mails of this kind. Their clients get the events of the settings that change. Does
 * nothing if they are off already.
 */
export async function endMails(
  services: Pick<Services, "keyring" | "mailer">,
  state: OrganizationState,
  { id }: User,
  kind: MailKind,
): Promise<void> {
  await runStateChange(state, async (tx) => {
    const user = state.get(users).byId.get(id);
    if (!user?.isActive) return;
    if (kind === "sign-in-notices" && !(await silenceSignIns(tx, services, user))) return;
    await updateUserSettings(tx, user, new Map(settingsOf[kind].map((setting) => [setting, false])));
    if (kind === "missed-messages") await endChannelMail(tx, id);
  });
}
