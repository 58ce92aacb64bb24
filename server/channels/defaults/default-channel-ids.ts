import type { ChannelId } from "../../../api/ids.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { channels } from "../channel.ts";

/** The channels to which new people are subscribed. */
export function defaultChannelIds(state: OrganizationState): ChannelId[] {
  return [...state.get(channels).all()]
    .filter((each) => each.isDefault && !each.isArchived)
    .map(({ id }) => id);
}
