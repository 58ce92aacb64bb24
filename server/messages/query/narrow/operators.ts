/**
 * The operators of a narrow. Each gives a condition in SQL, the channels or conversations to look in, and the
 * access path. A new operator is a line in the table and a function.
 */

import { isEmptyTopicName, RESOLVED_PREFIX } from "../../../../api/channels/topic-name.ts";
import type { ConversationId, TopicId, UserId } from "../../../../api/ids.ts";
import { canSeeChannel } from "../../../channels/access.ts";
import { type Channel, channels } from "../../../channels/channel.ts";
import { findConversation } from "../../../channels/recipients/conversation-store.ts";
import { listResolvedTopics, listTopicIds } from "../../../channels/recipients/topic-store.ts";
import { Sql, sql } from "../../../platform/db/sql.ts";
import { messageFacts, PERSONAL_MENTIONS, personalFlags } from "../../model/message.ts";
import { listSharedConversations } from "../../model/store.ts";
import { senderTerm } from "../../search/filter-terms.ts";
import { isMentionedByGroup } from "../mentioned-by-group.ts";
import { historyAccessOf, type Reader } from "../readable/readable-ranges.ts";
import { cameUnread, wasReceived } from "../scan.ts";
import { messagesWithWords } from "./holding-words.ts";
import { listFollowedTopics, mutedRecipients } from "./muted-places.ts";
import { findChannel, parseId, parsePeople, parseSenderForSpectator, parseText } from "./operands.ts";
import { badNarrow, type NarrowContext, type Operand, type Predicate } from "./predicate.ts";

type Operator = (context: NarrowContext, operand: Operand) => Predicate | Promise<Predicate>;

export const channelOperators: ReadonlySet<string> = new Set(["channel", "stream"]);

export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["channel", inChannel],
  ["stream", inChannel],
  ["channels", inChannels],
  ["streams", inChannels],
  ["topic", inTopic],
  ["subject", inTopic],
  ["dm", inConversation],
  ["pm-with", inConversation],
  ["dm-including", inConversationIncluding],
  ["group-pm-with", inConversationIncluding],
  ["sender", bySender],
  ["from", bySender],
  ["mentions", mentioning],
  ["is", ofKind],
  ["has", having],
  ["id", withId],
  ["in", inView],
  ["search", (context, operand) => messagesWithWords(context, parseText(operand, "search"))],
  // `near` only says where to start, and the anchor already says that.
  ["near", () => ({})],
]);

function inChannel({ reader }: NarrowContext, operand: Operand): Predicate {
  const channel = findChannel(reader.state, operand);
  const isKnown =
    channel &&
    (reader.user
      ? canSeeChannel(reader.state, reader.user, channel)
      : historyAccessOf(reader, channel) === "all");
  if (!isKnown) throw badNarrow(`unknown channel ${String(operand)}`);
  return {
    condition: sql`m.recipient_id = ${channel.id}`,
    kind: "channel",
    channels: [channel],
    isPlace: true,
    withHistory: true,
  };
}

const CHANNEL_SETS = new Map<Operand, (channel: Channel) => boolean>([
  ["public", (channel) => !channel.isPrivate],
  ["web-public", (channel) => channel.isWebPublic],
  ["all", () => true],
]);

function inChannels({ reader }: NarrowContext, operand: Operand): Predicate {
  const belongs = CHANNEL_SETS.get(operand);
  if (!belongs) throw badNarrow(`unknown channels operand ${String(operand)}`);
  const chosen = [...reader.state.get(channels).all()].filter(belongs);
  return {
    condition: sql`m.topic_id is not null and m.recipient_id = any(${chosen.map(({ id }) => id)}::bigint[])`,
    kind: "channel",
    channels: chosen,
    isPlace: true,
    withHistory: true,
  };
}

async function inTopic({ reader, tx, channel }: NarrowContext, operand: Operand): Promise<Predicate> {
  const text = parseText(operand, "topic");
  const name = isEmptyTopicName(text) ? "" : text.trim();
  const ids = await listTopicIds(tx, reader.state.organizationId, name, channel?.id);
  // Older topics may share a name.
  const only = ids.length === 1 ? ids[0] : undefined;
  const { path, ...predicate } = inTopics(ids);
  return { ...predicate, ...(channel && only !== undefined ? { topicId: only } : { path }) };
}

async function inConversation({ reader, tx }: NarrowContext, operand: Operand): Promise<Predicate> {
  const people = parsePeople(reader, operand);
  const me = reader.user as { id: UserId };
  const userIds = [...new Set([...people, me.id])].sort((a, b) => a - b);
  const id = await findConversation(tx, reader.state.organizationId, userIds);
  return conversations(id === undefined ? [] : [id]);
}

async function inConversationIncluding({ reader, tx }: NarrowContext, operand: Operand): Promise<Predicate> {
  const people = parsePeople(reader, operand);
  const me = reader.user as { id: UserId };
  return conversations(
    await listSharedConversations(tx, reader.state.organizationId, [...new Set([...people, me.id])]),
  );
}

function conversations(ids: readonly ConversationId[]): Predicate {
  return {
    condition: sql`m.recipient_id = any(${ids}::bigint[])`,
    kind: "direct",
    conversations: ids,
    isPlace: true,
  };
}

function bySender({ reader }: NarrowContext, operand: Operand): Predicate {
  const [id, ...others] = reader.user
    ? peopleOrMe(reader, operand)
    : [parseSenderForSpectator(reader, operand)];
  if (others.length > 0) throw badNarrow("a message has one sender");
  return {
    condition: sql`m.sender_id = ${id}`,
    path: { by: "messages" },
    ...(id !== undefined && { filterTerm: senderTerm(id) }),
  };
}

/**
 * Matches messages that mention a person by name and that this person received. Readers also find their own
 * mentions that moved to where they are not subscribed.
 */
function mentioning({ reader }: NarrowContext, operand: Operand): Predicate {
  const [userId, ...others] = peopleOrMe(reader, operand);
  if (userId === undefined || others.length > 0) throw badNarrow("one person is mentioned");
  const bits = personalFlags.mentioned;
  return {
    condition: isFlagged(reader, bits, userId),
    path: { by: "flags", bits, userId },
    ...(userId === reader.user?.id && { withHistory: true }),
  };
}

function peopleOrMe(reader: Reader, operand: Operand): UserId[] {
  return operand === "me" && reader.user ? [reader.user.id] : parsePeople(reader, operand);
}

function withId(_: NarrowContext, operand: Operand): Predicate {
  const id = parseId(operand, "message");
  return { condition: sql`m.id = ${id}`, withHistory: true, path: { by: "ids", ids: [id] } };
}

const FACTS = new Map<Operand, Sql>([
  ["link", isFact(messageFacts.hasLink)],
  ["image", isFact(messageFacts.hasImage)],
  ["attachment", isFact(messageFacts.hasAttachment)],
]);

/** A literal instead of a parameter, as in the predicates of the indexes on rare facts. */
function isFact(bit: number): Sql {
  return new Sql(`m.facts & ${bit} <> 0`, [], undefined);
}

function having(_: NarrowContext, operand: Operand): Predicate {
  if (operand === "reaction") {
    return {
      condition: sql`exists (select from reactions r where r.organization_id = m.organization_id and r.message_id = m.id)`,
      path: { by: "reactions" },
    };
  }
  const condition = FACTS.get(operand);
  if (!condition) throw badNarrow(`unknown 'has' operand ${String(operand)}`);
  return { condition };
}

function ofKind(context: NarrowContext, operand: Operand): Predicate | Promise<Predicate> {
  if (operand === "followed") return inFollowedTopic(context);
  if (operand === "muted") return inMutedPlace(context);
  if (operand === "resolved") return inResolvedTopic(context);
  const kind = typeof operand === "string" ? kinds.get(operand) : undefined;
  if (!kind) throw badNarrow(`unknown 'is' operand ${String(operand)}`);
  return kind(context.reader);
}

async function inFollowedTopic({ reader, tx }: NarrowContext): Promise<Predicate> {
  return inTopics(await listFollowedTopics(reader, tx));
}

function inTopics(topicIds: readonly TopicId[]): Predicate {
  return {
    condition: sql`m.topic_id = any(${topicIds}::bigint[])`,
    kind: "channel",
    matchesNothing: topicIds.length === 0,
    path: { by: "topics", topicIds },
  };
}

/** With more resolved topics than this, a match is found soon without a list of them. */
const MAX_RESOLVED = 2000;

async function inResolvedTopic({ reader, tx, channel }: NarrowContext): Promise<Predicate> {
  const { organizationId } = reader.state;
  const topicIds = await listResolvedTopics(tx, organizationId, channel?.id, MAX_RESOLVED + 1);
  if (topicIds.length <= MAX_RESOLVED) return inTopics(topicIds);
  return {
    condition: sql`exists (select from topics t where t.organization_id = m.organization_id and t.id = m.topic_id
      and starts_with(t.name, ${RESOLVED_PREFIX}))`,
    kind: "channel",
  };
}

async function inMutedPlace({ reader, tx }: NarrowContext): Promise<Predicate> {
  const { channelIds, onlyTopicIds, condition } = await mutedRecipients(reader, tx);
  if (onlyTopicIds) return inTopics(onlyTopicIds);
  const all = reader.state.get(channels);
  return {
    condition,
    kind: "channel",
    channels: channelIds.flatMap((id) => all.byId.get(id) ?? []),
  };
}

/**
 * `home` leaves out what is muted, `all` leaves out nothing. COMPAT: a muted channel that the narrow names is
 * searched all the same.
 */
async function inView({ reader, tx, channel }: NarrowContext, operand: Operand): Promise<Predicate> {
  if (operand === "all") return { matchesEverything: true };
  if (operand !== "home") throw badNarrow(`unknown 'in' operand ${String(operand)}`);
  const { condition, wholeChannelIds, isEmpty } = await mutedRecipients(reader, tx, channel?.id);
  if (isEmpty) return { matchesEverything: true };
  return { condition: sql`(${condition}) is not true`, without: wholeChannelIds };
}

const direct = (): Predicate => ({ condition: sql`m.topic_id is null`, kind: "direct", isPlace: true });

/**
 * A flag stays on a message that moves to where the reader is not subscribed, so flags are found there too.
 */
const kinds = new Map<string, (reader: Reader) => Predicate>([
  ["dm", direct],
  ["private", direct],
  [
    "starred",
    (reader) => ({
      condition: isFlagged(reader, personalFlags.starred),
      withHistory: true,
      path: { by: "flags", bits: personalFlags.starred },
    }),
  ],
  [
    "alerted",
    (reader) => ({
      condition: isFlagged(reader, personalFlags.alertWord),
      withHistory: true,
      path: { by: "flags", bits: personalFlags.alertWord },
    }),
  ],
  [
    "mentioned",
    (reader) => ({
      condition: sql`((${mentionsMany(reader)} and ${wasReceived(reader)}) or ${isFlagged(reader, PERSONAL_MENTIONS)})`,
      withHistory: true,
      path: { by: "mentions" },
    }),
  ],
  ["unread", (reader) => ({ condition: isUnread(reader), withHistory: true, path: { by: "unread" } })],
]);

/** A condition: the message mentions everyone who receives it, or a group that the reader was in. */
function mentionsMany(reader: Reader): Sql {
  return sql`(m.facts & ${messageFacts.mentionsChannel}::int <> 0 or ${isMentionedByGroup(reader, sql`m`)})`;
}

function isFlagged({ user }: Reader, bits: number, userId = user?.id): Sql {
  return sql`exists (select from message_flags f where f.organization_id = m.organization_id
    and f.user_id = ${userId ?? null} and f.message_id = m.id and f.flags & ${bits}::int <> 0)`;
}

/**
 * The subquery in `exists` refers to the message as little as possible, so that PostgreSQL joins it instead
 * of running it for each message.
 */
function isUnread(reader: Reader): Sql {
  const { state, user } = reader;
  const topics = sql`topic_read_states t where t.organization_id = ${state.organizationId}
    and t.user_id = ${user?.id ?? null} and t.topic_id = m.topic_id`;
  return sql`(${cameUnread(reader)} and not exists (select from ${topics} and t.ranges @> m.id) and (exists (
    select from range left join read_states r on r.organization_id = ${state.organizationId}
      and r.user_id = ${user?.id ?? null} and r.recipient_id = range.recipient_id
    where range.recipient_id = m.recipient_id and range.unread_after is not null
      and ((m.id > range.unread_after and not coalesce(r.ranges @> m.id, false)) or r.marked_unread @> m.id))
    or exists (
      select from range where range.recipient_id = m.recipient_id and range.unread_after is not null
        and exists (select from ${topics} and not isempty(t.gaps)
          and (t.gaps @> m.id and m.id > range.unread_after or t.marked_unread @> m.id)))))`;
}
