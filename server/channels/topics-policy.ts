import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { settingOf } from "../organization/setting.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { Channel } from "./channel.ts";

/** The policy that holds in a channel (spec Channel, `topics_policy`). */
export function topicsPolicyOf(
  state: OrganizationState,
  channel: Channel,
): Exclude<Channel["topicsPolicy"], "inherit"> {
  return channel.topicsPolicy === "inherit"
    ? settingOf(state, organizationSettings.topicsPolicy)
    : channel.topicsPolicy;
}
