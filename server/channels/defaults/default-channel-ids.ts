import type { ChannelId } from "../../../api/ids.ts";
import { derived } from "../../platform/log/derived.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { channels } from "../channel.ts";

/** The channels to which new people are subscribed. */
export const defaultChannelIds: (state: OrganizationState) => readonly ChannelId[] = derived(
  (state) => state.get(channels).version,
  (state) =>
    [...state.get(channels).all()].filter((each) => each.isDefault && !each.isArchived).map(({ id }) => id),
);
