import { ApiError, errors } from "../../../api/errors.ts";
import {
  channelTypingStarted,
  channelTypingStopped,
  directTypingStarted,
  directTypingStopped,
  messageEditingStarted,
  messageEditingStopped,
} from "../../../api/events/typing.ts";
import type { ChannelId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { accessChannel, accessChannelForSending } from "../../channels/access.ts";
import type { Channel } from "../../channels/channel.ts";
import { parseTopicName } from "../../channels/recipients/topic-name.ts";
import { hasMoreSubscribers, subscriberList } from "../../channels/subscriptions/subscriber-lists.ts";
import { findKnownById } from "../../people/access/access.ts";
import { shownEmail } from "../../people/email/email-visibility.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import type { User } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { accessMessage } from "../access.ts";
import { audiencesOf, toReadersOf } from "../delivery/audiences.ts";
import { checkEdit } from "../edit/permissions.ts";
import { MAX_DIRECT_RECIPIENTS } from "../send/addressee.ts";
import { canStartConversation, checkDirectPermission } from "../send/direct-permissions.ts";
import { checkIsBegun } from "../send/prepare.ts";

export type TypingOp = "start" | "stop";

/** With more active subscribers somebody would always be typing, so no events are sent. */
const MAX_SUBSCRIBERS = 100;

/**
 * Sends an event to the people of a direct message: the viewer, who is one of them, started or stopped
 * typing. Throws `directMessagesNotAllowed` where the viewer could not send the message.
 */
export async function typeDirectly(
  tx: ViewerChange,
  op: TypingOp,
  userIds: readonly number[],
): Promise<void> {
  const { viewer } = tx;
  if (!userSettingOf(viewer.user, userSettings.sendPrivateTypingNotifications)) {
    throw new ApiError(errors.typingDisabled, { what: "direct messages" });
  }
  const people = accessPeople(viewer, userIds);
  const ids = people.map(({ id }) => id);
  checkDirectPermission(viewer, ids);
  if (!canStartConversation(viewer, ids)) await checkIsBegun(viewer, ids);
  const fields = {
    message_type: "direct" as const,
    sender: presentTypist(viewer.state, viewer.user),
    recipients: people.map((user) => presentTypist(viewer.state, user)),
  };
  const listenerIds = people.filter((person) => person.isActive).map((person) => person.id);
  tx.append(op === "start" ? directTypingStarted : directTypingStopped, fields, toUsers(listenerIds));
}

/**
 * Sends an event to the subscribers of a channel, if there are not too many: the viewer started or
 * stopped typing there.
 */
export function typeInChannel(
  tx: ViewerChange,
  op: TypingOp,
  { channelId, topic }: { channelId: number; topic: string },
): void {
  const { viewer } = tx;
  if (!userSettingOf(viewer.user, userSettings.sendStreamTypingNotifications)) {
    throw new ApiError(errors.typingDisabled, { what: "channel messages" });
  }
  const name = parseTopicName(topic);
  const channel = accessChannelForTyping(viewer, channelId);
  if (hasMoreSubscribers(tx.state, channel.id, MAX_SUBSCRIBERS)) return;
  const fields = {
    message_type: "stream" as const,
    sender: presentTypist(viewer.state, viewer.user),
    stream_id: channel.id,
    topic: name,
  };
  const audience = toReadersOf(channel.id, subscriberList(tx.state, channel.id).ids);
  tx.append(op === "start" ? channelTypingStarted : channelTypingStopped, fields, audience);
}

/**
 * Sends an event to the people who can read a message: the viewer, who may edit it, started or stopped
 * editing. In a large channel no event is sent.
 */
export async function typeEdit(tx: ViewerChange, op: TypingOp, messageId: number): Promise<void> {
  const { state, viewer } = tx;
  const { user } = viewer;
  const { row } = await accessMessage({ state, user }, tx, messageId);
  checkEdit(viewer, row);
  const setting = row.userIds
    ? userSettings.sendPrivateTypingNotifications
    : userSettings.sendStreamTypingNotifications;
  if (!userSettingOf(user, setting)) {
    const what = row.userIds ? "direct messages" : "channel messages";
    throw new ApiError(errors.typingDisabled, { what });
  }
  const channelId = row.recipientId as ChannelId;
  if (!row.userIds && hasMoreSubscribers(state, channelId, MAX_SUBSCRIBERS)) return;
  const recipient = row.userIds
    ? { type: "direct" as const, user_ids: row.userIds }
    : { type: "channel" as const, channel_id: channelId, topic: row.topic ?? "" };
  const event = op === "start" ? messageEditingStarted : messageEditingStopped;
  for (const { audience } of await audiencesOf(state, tx, [row])) {
    tx.append(event, { sender_id: user.id, message_id: row.id, recipient }, audience);
  }
}

/**
 * A channel that the viewer can't see counts as missing; in a channel that they can see they must be able to
 * post.
 */
function accessChannelForTyping(viewer: Viewer, id: number): Channel {
  return accessChannelForSending(viewer, { id: accessChannel(viewer, id).id });
}

/** The people of a direct message, the viewer among them, sorted by id. */
function accessPeople({ state, user }: Viewer, userIds: readonly number[]): User[] {
  if (userIds.length === 0) throw new ApiError(errors.emptyTo);
  if (userIds.length > MAX_DIRECT_RECIPIENTS) {
    throw new ApiError(errors.tooManyRecipients, { limit: MAX_DIRECT_RECIPIENTS });
  }
  const people = new Set([user]);
  for (const id of userIds) {
    const person = findKnownById(state, user, id);
    if (!person) throw new ApiError(errors.invalidRecipientId, { id });
    people.add(person);
  }
  return [...people].sort((a, b) => a.id - b.id);
}

function presentTypist(state: OrganizationState, user: User): { user_id: number; email: string } {
  return { user_id: user.id, email: shownEmail(state, user) };
}
