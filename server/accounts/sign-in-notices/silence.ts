import { userSettings } from "../../../api/people/user-settings.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import type { User } from "../../people/user.ts";
import type { Change } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { noteSecurityChange } from "../proof/security-change.ts";
import { mustHearOfSignIns } from "./must-hear.ts";

/**
 * Notes that somebody gets no more mails about sign-ins, in the change that switches them off. false: they
 * get them in any case.
 */
export async function silenceSignIns(
  tx: Change,
  services: Pick<Services, "keyring" | "mailer">,
  user: User,
): Promise<boolean> {
  if (!userSettingOf(user, userSettings.enableLoginEmails)) return true;
  if (mustHearOfSignIns(user)) return false;
  const what = "You get no more mails about sign-ins from new devices.";
  await noteSecurityChange(tx, services, user, { action: "login_mails_silenced", what });
  return true;
}
