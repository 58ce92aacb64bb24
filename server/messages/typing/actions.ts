import { ApiError, errors } from "../../../api/errors.ts";
import {
  channelTypingStarted,
  channelTypingStopped,
  directTypingStarted,
  directTypingStopped,
  messageEditingStarted,
  messageEditingStopped,
} from "../../../api/events/typing.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
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
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { EventSink } from "../../platform/log/event-list.ts";
import { type GroupedChange, NotForGroup } from "../../platform/log/grouped-change.ts";
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

/** Where somebody types: a channel, or a direct message with the people whom the viewer names. */
export type TypingPlace = { channelId: number; topic: string } | { userIds: readonly number[] };

/**
 * Makes a change of its own where the viewer may type in a direct message only if it has begun. Throws
 * `directMessagesNotAllowed` where the viewer could not send the message.
 */
export async function typeInBegun(tx: ViewerChange, op: TypingOp, userIds: readonly number[]): Promise<void> {
  const people = accessTyping(tx.viewer, userIds);
  if (!canType(tx.viewer, people)) await checkIsBegun(tx.viewer, idsOf(people));
  announceDirect(tx, tx.viewer, op, people);
}

/**
 * Sends an event to the people of a direct message: the viewer, who is one of them, started or stopped
 * typing. Throws NotForGroup where `typeInBegun` must look whether it has begun.
 */
function typeDirectly(events: EventSink, viewer: Viewer, op: TypingOp, userIds: readonly number[]): void {
  const people = accessTyping(viewer, userIds);
  if (!canType(viewer, people)) throw new NotForGroup();
  announceDirect(events, viewer, op, people);
}

/** The people of a direct message that the viewer may write to some of. */
function accessTyping(viewer: Viewer, userIds: readonly number[]): User[] {
  if (!userSettingOf(viewer.user, userSettings.sendPrivateTypingNotifications)) {
    throw new ApiError(errors.typingDisabled, { what: "direct messages" });
  }
  const people = accessPeople(viewer, userIds);
  checkDirectPermission(viewer, idsOf(people));
  return people;
}

function canType(viewer: Viewer, people: readonly User[]): boolean {
  return canStartConversation(viewer, idsOf(people));
}

function idsOf(people: readonly User[]): UserId[] {
  return people.map(({ id }) => id);
}

function announceDirect(events: EventSink, viewer: Viewer, op: TypingOp, people: readonly User[]): void {
  const fields = {
    message_type: "direct" as const,
    sender: presentTypist(viewer.state, viewer.user),
    recipients: people.map((user) => presentTypist(viewer.state, user)),
  };
  const listenerIds = people.filter((person) => person.isActive).map((person) => person.id);
  events.append(op === "start" ? directTypingStarted : directTypingStopped, fields, toUsers(listenerIds));
}

/**
 * Sends an event to the subscribers of a channel, if there are not too many: the viewer started or
 * stopped typing there.
 */
function typeInChannel(
  events: EventSink,
  viewer: Viewer,
  op: TypingOp,
  { channelId, topic }: { channelId: number; topic: string },
): void {
  const { state } = viewer;
  if (!userSettingOf(viewer.user, userSettings.sendStreamTypingNotifications)) {
    throw new ApiError(errors.typingDisabled, { what: "channel messages" });
  }
  const name = parseTopicName(topic);
  const channel = accessChannelForTyping(viewer, channelId);
  if (hasMoreSubscribers(state, channel.id, MAX_SUBSCRIBERS)) return;
  const fields = {
    message_type: "stream" as const,
    sender: presentTypist(state, viewer.user),
    stream_id: channel.id,
    topic: name,
  };
  const audience = toReadersOf(channel.id, subscriberList(state, channel.id).ids);
  events.append(op === "start" ? channelTypingStarted : channelTypingStopped, fields, audience);
}

export interface TypingRequest {
  viewer: Viewer;
  op: TypingOp;
  place: TypingPlace;
}

/** What people type as changes that share transactions. Nothing is stored but the events. */
export const typingChange: GroupedChange<TypingRequest, never, undefined, never, void> = {
  name: "typing",
  keysOf: () => [],
  check({ viewer }) {
    currentViewer(viewer);
  },
  decide({ viewer, op, place }, _found, _shared, events) {
    const now = currentViewer(viewer);
    if ("userIds" in place) typeDirectly(events, now, op, place.userIds);
    else typeInChannel(events, now, op, place);
    return { writes: [], answer: undefined };
  },
};

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
