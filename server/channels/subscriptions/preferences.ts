import type { Static } from "typebox";
import type { subscriptionProperty, subscriptionValue } from "../../../api/channels/subscriptions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { subscriptionUpdated } from "../../../api/events/subscriptions.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { accessChannel } from "../access.ts";
import type { Preferences } from "../store.ts";
import { parseColor } from "./colors.ts";
import { mutedChannels } from "./muted-channels.ts";
import { endMailChoices, updatePreference } from "./preference-store.ts";
import { subscribers } from "./subscribers.ts";

/** One personal setting for a channel, as it came in the request. */
export interface PreferenceChange {
  channelId: number;
  property: Static<typeof subscriptionProperty>;
  value: Static<typeof subscriptionValue>;
}

/** The properties whose value can be null, for the account's own setting. */
const inheritable = {
  desktop_notifications: "desktopNotifications",
  audible_notifications: "audibleNotifications",
  push_notifications: "pushNotifications",
  email_notifications: "emailNotifications",
  wildcard_mentions_notify: "wildcardMentionsNotify",
} as const satisfies Record<string, keyof Preferences>;

/**
 * Changes the viewer's settings for channels that they are subscribed to, in this order. Only the viewer
 * gets events, one for each change. An error changes nothing.
 */
export async function changePreferences(
  tx: ViewerChange,
  changes: readonly PreferenceChange[],
): Promise<void> {
  const { state, viewer } = tx;
  const { id: userId } = viewer.user;
  for (const change of changes) {
    const { id: channelId } = accessChannel(viewer, change.channelId);
    if (!state.get(subscribers).has(channelId, userId)) {
      throw new ApiError(errors.notSubscribed, { id: channelId });
    }
    const { field, value, shown } = parseChange(change);
    await updatePreference(tx, state.organizationId, { userId, channelId, field, value });
    for (const [property, told] of shown) announce(tx, userId, channelId, property, told);
  }
}

/** The person gets no channel's messages by mail. Their clients get an event for each one that changes. */
export async function endChannelMail(tx: Change, userId: UserId): Promise<void> {
  for (const channelId of await endMailChoices(tx, tx.state.organizationId, userId)) {
    const isSubscribed = tx.state.get(subscribers).has(channelId, userId);
    if (isSubscribed) announce(tx, userId, channelId, "email_notifications", false);
  }
}

type Property = PreferenceChange["property"];

interface ParsedChange {
  field: keyof Preferences;
  value: boolean | string | null;
  /** The changes that the viewer's events report. */
  shown: [property: Property, value: boolean | string | null][];
}

function parseChange({ property, value }: PreferenceChange): ParsedChange {
  if (property === "color") {
    const color = typeof value === "string" ? parseColor(value) : undefined;
    if (color === undefined) throw invalid(property);
    return { field: "color", value: color, shown: [[property, color]] };
  }
  if (property in inheritable) {
    if (typeof value === "string") throw invalid(property);
    return { field: inheritable[property as keyof typeof inheritable], value, shown: [[property, value]] };
  }
  if (typeof value !== "boolean") throw invalid(property);
  if (property === "pin_to_top") return { field: "isPinned", value, shown: [[property, value]] };
  const isMuted = property === "is_muted" ? value : !value;
  // COMPAT: older clients use the opposite of muting.
  const shown: ParsedChange["shown"] = [
    ["in_home_view", !isMuted],
    ["is_muted", isMuted],
  ];
  return { field: "isMuted", value: isMuted, shown };
}

function invalid(name: string): ApiError<{ name: string }> {
  return new ApiError(errors.invalidSettingValue, { name });
}

function announce(
  tx: Change,
  userId: UserId,
  channelId: ChannelId,
  property: Property,
  value: boolean | string | null,
): void {
  const muting = patchOf(mutedChannels, [{ userId, channelId, isMuted: value === true }]);
  const patches = property === "is_muted" ? [muting] : [];
  tx.append(subscriptionUpdated, { stream_id: channelId, property, value }, toUsers([userId]), ...patches);
}
