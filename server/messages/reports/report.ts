import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId } from "../../../api/ids.ts";
import { MAX_REPORT_LENGTH } from "../../../api/limits.ts";
import { type Channel, channels } from "../../channels/channel.ts";
import { moderationChannelOf } from "../../channels/moderation-channel.ts";
import { users } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { accessMessage } from "../access.ts";
import { person, quote, topicLink } from "../model/markdown-text.ts";
import type { FetchedRow } from "../model/message.ts";
import { postMessage } from "../send/post.ts";

const REASONS: Record<string, string> = {
  spam: "spam",
  harassment: "harassment",
  inappropriate: "inappropriate content",
  norms: "against the organization's norms",
  other: "another reason",
};

/**
 * Posts a report of a message in the organization's channel for reports. Throws if there is no such channel
 * (spec E8).
 */
export async function reportMessage(
  tx: ViewerChange,
  messageId: number,
  { type, description }: { type: string; description: string },
): Promise<void> {
  const { state, viewer } = tx;
  const channel = moderationChannelOf(state);
  if (!channel) throw new ApiError(errors.reportingNotEnabled);
  if (type === "other" && description.trim() === "") throw new ApiError(errors.reportNeedsDescription);
  if ([...description].length > MAX_REPORT_LENGTH) throw new ApiError(errors.reportTooLong);
  const { row } = await accessMessage({ state, user: viewer.user }, tx, messageId);
  const sender = state.get(users).byId.get(row.senderId);
  await postMessage(tx, {
    to: { channel, topic: `${sender?.fullName ?? "Somebody"}'s messages` },
    content: [
      `${person(viewer.user)} reported a message by ${sender ? person(sender) : "somebody"}: ${REASONS[type]}.`,
      ...(description.trim() === "" ? [] : [quote(description)]),
      `${placeOf(state, row)}:`,
      quote(row.content),
    ].join("\n\n"),
    onBehalfOf: viewer.user,
    // The moderators must find the message, also in a channel that they may not know of.
    changedChannels: row.userIds ? [] : [channelOf(state, row)],
  });
}

function placeOf(state: OrganizationState, row: FetchedRow): string {
  if (row.userIds) return "In a direct message";
  return `In ${topicLink(channelOf(state, row), row.topic ?? "", row.id)}`;
}

function channelOf(state: OrganizationState, { recipientId }: FetchedRow): Channel {
  return state.get(channels).byId.get(recipientId as ChannelId) as Channel;
}
