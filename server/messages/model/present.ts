import { topicDisplayName } from "../../../api/channels/topic-name.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import type { DirectRecipient, MessageRecord } from "../../../api/messages/message.ts";
import type { ListedMessage } from "../../../api/messages/messages.ts";
import { channels } from "../../channels/channel.ts";
import { topicLinksOf } from "../../content/linkifiers/linkifier.ts";
import { organizationSlug } from "../../organization/organization.ts";
import { withoutUnknownPeople } from "../../people/access/unknown-people.ts";
import { shownEmail } from "../../people/email/email-visibility.ts";
import { hiddenEmail } from "../../people/email/hidden-email.ts";
import { avatarUrl, publicAvatarUrl } from "../../people/pictures/picture.ts";
import { type User, users } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Readable } from "../access.ts";
import { isMentionedIn, type Mentioning } from "../mentions/group-mentions.ts";
import type { Reader } from "../query/readable/readable-ranges.ts";
import {
  hasFlag,
  type Message,
  messageFacts,
  PERSONAL_MENTIONS,
  personalFlags,
  toMessage,
} from "./message.ts";
import type { MessageExtras } from "./message-extras.ts";

/** The form in which a client wants messages. */
export interface MessageForm {
  applyMarkdown: boolean;
  clientGravatar: boolean;
  /** Whether an empty topic stays empty. Otherwise its display name is shown (spec Conventions 7). */
  emptyTopicName: boolean;
  /** Set for a reader without an account: people sign in with their addresses, so those stay private. */
  hidesAddresses?: boolean;
}

/** The Message resource of the spec, without flags. `userIds` are the people of a direct message. */
export function presentMessage(
  state: OrganizationState,
  message: Message,
  userIds: readonly number[] | null,
  form: MessageForm,
): MessageRecord {
  const all = state.get(users);
  const sender = all.find(message.senderId);
  const isChannel = userIds === null;
  const channelId = message.recipientId as ChannelId;
  return {
    id: message.id,
    type: isChannel ? "stream" : "private",
    content: form.applyMarkdown ? message.renderedContent : message.content,
    content_type: form.applyMarkdown ? "text/html" : "text/x-markdown",
    subject: isChannel ? topicDisplayName(message.topic, form.emptyTopicName) : message.topic,
    ...(isChannel ? { stream_id: channelId } : undefined),
    display_recipient: isChannel
      ? (state.get(channels).byId.get(channelId)?.name ?? "")
      : userIds.map((id) => presentRecipient(state, id, all.find(id))),
    recipient_id: message.recipientId,
    sender_id: message.senderId,
    sender_email: sender ? emailFor(state, sender, form) : "",
    sender_full_name: sender?.fullName ?? "",
    sender_realm_str: organizationSlug(state),
    avatar_url: sender ? avatarFor(state, sender, form) : null,
    client: message.client,
    is_me_message: hasFlag(message.facts, messageFacts.isMeMessage),
    timestamp: message.sentAt,
    ...(message.editedAt === null ? undefined : { last_edit_timestamp: message.editedAt }),
    ...(message.movedAt === null ? undefined : { last_moved_timestamp: message.movedAt }),
    reactions: [],
    submessages: [],
    topic_links: isChannel ? topicLinksOf(state, message.topic) : [],
  };
}

/** A message in a listing, with the reader's flags. */
export function presentReadable(
  { state, user }: Reader,
  { row, isRead, isHistorical }: Readable,
  extras: MessageExtras,
  form: MessageForm,
): ListedMessage {
  const message = toMessage(row);
  const flags = user
    ? presentFlags(state, message, user.id, row.personal, { isRead, isHistorical })
    : ["read", "historical"];
  const shownForm = user ? form : { ...form, hidesAddresses: true };
  const record = presentMessage(state, message, row.userIds, shownForm);
  return Object.assign(
    user ? withoutUnknownPeople(state, user, record) : record,
    extras.present(row.id, form),
    { flags },
  );
}

function emailFor(state: OrganizationState, user: User, { hidesAddresses }: MessageForm): string {
  return hidesAddresses ? hiddenEmail(state, user) : shownEmail(state, user);
}

/** A client can't compute the picture's address from an address that is hidden from it. */
function avatarFor(state: OrganizationState, user: User, form: MessageForm): string | null {
  if (!form.hidesAddresses) return avatarUrl(state, user, form.clientGravatar);
  return publicAvatarUrl(state, user);
}

function presentRecipient(state: OrganizationState, id: number, user: User | undefined): DirectRecipient {
  return {
    id,
    email: user ? shownEmail(state, user) : "",
    full_name: user?.fullName ?? "",
    is_mirror_dummy: false,
  };
}

/**
 * The flags of a message for one person (spec Message flags). `personal` are the person's bits in
 * `message_flags`. The caller knows the read state and the subscriptions, and so gives `isRead` and
 * `isHistorical`.
 */
export function presentFlags(
  state: OrganizationState,
  message: Mentioning,
  userId: UserId,
  personal: number,
  { isRead, isHistorical }: { isRead: boolean; isHistorical: boolean },
): string[] {
  const flags: string[] = [];
  if (isRead) flags.push("read");
  if (hasFlag(personal, personalFlags.starred)) flags.push("starred");
  if (hasFlag(personal, personalFlags.collapsed)) flags.push("collapsed");
  const isByGroup = !isHistorical && isMentionedByGroup(state, message, userId);
  if (isByGroup || hasFlag(personal, personalFlags.mentioned)) flags.push("mentioned");
  const mentionsChannel = !isHistorical && hasFlag(message.facts, messageFacts.mentionsChannel);
  const mentionsTopic = hasFlag(personal, personalFlags.topicMentioned);
  if (mentionsChannel) flags.push("stream_wildcard_mentioned");
  if (mentionsTopic) flags.push("topic_wildcard_mentioned");
  if (mentionsChannel || mentionsTopic) flags.push("wildcard_mentioned");
  if (hasFlag(personal, personalFlags.alertWord)) flags.push("has_alert_word");
  if (isHistorical) flags.push("historical");
  return flags;
}

/**
 * Whether a message mentions the user in any way. A mention by name, or with those who take part in its
 * topic, always counts. A mention by a group or with everyone counts if the user received the message.
 */
export function isMentioned(
  state: OrganizationState,
  message: Mentioning,
  userId: UserId,
  personal: number,
  isHistorical: boolean,
): boolean {
  if (hasFlag(personal, PERSONAL_MENTIONS)) return true;
  if (isHistorical) return false;
  return hasFlag(message.facts, messageFacts.mentionsChannel) || isMentionedByGroup(state, message, userId);
}

function isMentionedByGroup(state: OrganizationState, message: Mentioning, userId: UserId): boolean {
  if (!message.mentionedGroupIds) return false;
  const user = state.get(users).byId.get(userId);
  return (
    user !== undefined && message.mentionedGroupIds.some((id) => isMentionedIn(state, message, id, user))
  );
}
