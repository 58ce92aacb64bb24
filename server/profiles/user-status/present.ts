import { userSettings } from "../../../api/people/user-settings.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import type { User } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { noStatus, userStatuses } from "./user-statuses.ts";

/** COMPAT: `away` is an older name for the opposite of the setting `presence_enabled`. */
export function isAway(user: User): boolean {
  return !userSettingOf(user, userSettings.presenceEnabled);
}

/** The parts that are not empty. */
export function presentUserStatus(state: OrganizationState, user: User) {
  const status = state.get(userStatuses).get(user.id) ?? noStatus;
  return {
    ...(isAway(user) && { away: true }),
    ...(status.text !== "" && { status_text: status.text }),
    ...(status.emojiName !== "" && {
      emoji_name: status.emojiName,
      emoji_code: status.emojiCode,
      reaction_type: status.reactionType,
    }),
  };
}
