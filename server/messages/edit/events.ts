/**
 * How clients learn that a message was edited or moved: what is appended to the log, and what queues get from
 * it.
 */

import { topicDisplayName } from "../../../api/channels/topic-name.ts";
import type { FieldsOf } from "../../../api/event.ts";
import { messageUpdated } from "../../../api/events/messages.ts";
import type { ChannelId, GroupId, MessageId, UserId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { topicLinksOf } from "../../content/linkifiers/linkifier.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import type { EventSink } from "../../platform/log/event-list.ts";
import type { Audience } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { rareVariant, variant } from "../../platform/queues/event-variant.ts";
import { serializerOf } from "../../platform/queues/queue-parts.ts";
import { readPeople } from "../delivery/people-text.ts";
import type { ReaderGroup } from "../delivery/reader-groups.ts";
import type { Mentioning } from "../mentions/group-mentions.ts";
import type { FetchedRow } from "../model/message.ts";
import { hasFlag, messageFacts } from "../model/message.ts";
import { presentFlags } from "../model/present.ts";
import type { Move } from "../move/move.ts";

export interface ContentChange {
  content: string;
  renderedContent: string;
  facts: number;
  mentionedGroupIds: GroupId[] | null;
  mentionedGroupPositions: number[] | null;
}

export interface MessageChange {
  content: ContentChange | undefined;
  move: Move | undefined;
  editedAt: Date;
}

/** What an event says of the message as it was. */
export type UpdatedMessage = Pick<
  FetchedRow,
  "id" | "recipientId" | "userIds" | "content" | "renderedContent"
>;

type MessageUpdate = Omit<FieldsOf<typeof messageUpdated>, "flags">;

interface LoggedMentions extends Pick<Mentioning, "facts" | "mentionedGroupIds"> {
  /** Missing in old entries of the log, like the next field. */
  mentionedGroupPositions?: number[] | null;
  /** In UNIX seconds. */
  sentAt?: number;
}

/** The data that decides people's flags on the message that an update names. */
export interface FlagDetails {
  message: LoggedMentions;
  /** Missing in old entries of the log. See `reader-groups.ts`. */
  groups?: ReaderGroup[];
  /**
   * In old entries, one by one, the people whose flags don't follow from the message alone: [user, bits, is
   * read, is historical]. New entries have an empty list, since a node of an older version that runs beside
   * this one reads the field.
   */
  readers: [UserId, number, boolean, boolean][];
}

interface StoredUpdate extends FlagDetails {
  /** The event without flags, and with topic names as they are stored. */
  update: MessageUpdate;
}

export const storedUpdate = storedEvent<StoredUpdate>()(messageUpdated);

/**
 * Announces a change to people who may read the messages with these ids. The event names the message `id`. It
 * carries the text only if `id` is the message that was edited.
 */
export function appendUpdate(
  events: EventSink,
  viewer: Viewer,
  row: UpdatedMessage,
  change: MessageChange,
  { id, ids, details }: { id: MessageId; ids: readonly MessageId[]; details: FlagDetails },
  audience: Audience,
): void {
  const update = presentUpdate(viewer, row, change, { id, ids });
  events.append(storedUpdate, { update, ...details }, audience);
}

/** Announces that a message looks different, though nobody has changed it. */
export function appendRendering(
  tx: Change,
  row: FetchedRow,
  renderedContent: string,
  details: FlagDetails,
  audience: Audience,
): void {
  const update: MessageUpdate = {
    user_id: null,
    rendering_only: true,
    message_id: row.id,
    message_ids: [row.id],
    edit_timestamp: Math.floor(Date.now() / 1000),
    ...presentChannel(tx.state, row),
    content: row.content,
    rendered_content: renderedContent,
    is_me_message: hasFlag(row.facts, messageFacts.isMeMessage),
  };
  tx.append(storedUpdate, { update, ...details }, audience);
}

function presentChannel(
  state: OrganizationState,
  row: UpdatedMessage,
): Pick<MessageUpdate, "stream_id" | "stream_name"> {
  const channel = row.userIds ? undefined : state.get(channels).byId.get(row.recipientId as ChannelId);
  return channel ? { stream_id: channel.id, stream_name: channel.name } : {};
}

function presentUpdate(
  { state, user }: Viewer,
  row: UpdatedMessage,
  { content, move, editedAt }: MessageChange,
  { id, ids }: { id: MessageId; ids: readonly MessageId[] },
): MessageUpdate {
  const from = move?.from;
  return {
    user_id: user.id,
    rendering_only: false,
    message_id: id,
    message_ids: [...ids].sort((a, b) => a - b),
    edit_timestamp: Math.floor(editedAt.getTime() / 1000),
    ...presentChannel(state, row),
    ...(from && {
      orig_subject: from.topic,
      propagate_mode: move.mode,
      ...(from.topic !== move.to.topic && {
        subject: move.to.topic,
        topic_links: topicLinksOf(state, move.to.topic),
      }),
      ...(from.channel.id !== move.to.channel.id && { new_stream_id: move.to.channel.id }),
    }),
    ...(content &&
      id === row.id && {
        orig_content: row.content,
        orig_rendered_content: row.renderedContent,
        content: content.content,
        rendered_content: content.renderedContent,
        is_me_message: hasFlag(content.facts, messageFacts.isMeMessage),
      }),
  };
}

/**
 * Each person gets their own flags on the named message. Clients that need a name for the empty topic get
 * one.
 */
export const updateSerializer = serializerOf(storedUpdate, (state, entry, fields, queue) => {
  const { update } = fields;
  const message = mentionsOf(fields);
  const { kinds, numbers } = readersOf(fields);
  const number = numbers.get(queue.userId) ?? 0;
  const [personal, isRead, isHistorical] = kinds[number] ?? UNREAD;
  const hasNames = (update.subject === "" || update.orig_subject === "") && !queue.can("empty_topic_name");
  const flags = () => presentFlags(state, message, queue.userId, personal, { isRead, isHistorical });
  const present = (own: string[]) => ({ ...(hasNames ? withDisplayNames(update) : update), flags: own });
  // People of one kind have the same flags. Only whether a user group is mentioned depends on the person.
  if (!message.mentionedGroupIds) {
    return variant(entry, number * 2 + (hasNames ? 1 : 0), messageUpdated, () => present(flags()));
  }
  const own = flags();
  return rareVariant(entry, JSON.stringify([hasNames, own]), messageUpdated, () => present(own));
});

function mentionsOf({ update, message }: StoredUpdate): Mentioning {
  const { facts, mentionedGroupIds, mentionedGroupPositions = null } = message;
  const sentAt = message.sentAt ?? update.edit_timestamp ?? 0;
  return { id: update.message_id as MessageId, facts, mentionedGroupIds, mentionedGroupPositions, sentAt };
}

type Reader = readonly [personal: number, isRead: boolean, isHistorical: boolean];

interface Readers {
  /** The first kind is that of everybody who is not in `numbers`. */
  kinds: readonly Reader[];
  /** By person, the index of their kind. */
  numbers: ReadonlyMap<UserId, number>;
}

/** An entry's people are looked up once for all queues that receive it. */
const known = new WeakMap<object, Readers>();

function readersOf({ groups, readers }: FlagDetails): Readers {
  const key = groups ?? readers;
  let found = known.get(key);
  if (!found) {
    found = groups ? readGroups(groups) : readList(readers);
    known.set(key, found);
  }
  return found;
}

const UNREAD: Reader = [0, false, false];

function readGroups(groups: readonly ReaderGroup[]): Readers {
  const numbers = new Map<UserId, number>();
  groups.forEach(([, , , people], number) => {
    for (const userId of readPeople(people)) numbers.set(userId, number);
  });
  return {
    kinds: groups.map(([personal, isRead, isHistorical]) => [personal, isRead, isHistorical]),
    numbers,
  };
}

function readList(readers: FlagDetails["readers"]): Readers {
  const kinds: Reader[] = [UNREAD];
  const numbers = new Map<UserId, number>();
  for (const [userId, ...kind] of readers) {
    const index = kinds.findIndex((other) => other.every((value, at) => value === kind[at]));
    numbers.set(userId, index < 0 ? kinds.push(kind) - 1 : index);
  }
  return { kinds, numbers };
}

function withDisplayNames(update: MessageUpdate): MessageUpdate {
  return {
    ...update,
    ...(update.subject !== undefined && { subject: topicDisplayName(update.subject) }),
    ...(update.orig_subject !== undefined && { orig_subject: topicDisplayName(update.orig_subject) }),
  };
}
