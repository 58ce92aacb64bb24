import { isTopicResolution } from "../../api/channels/topic-name.ts";
import type { EventOf } from "../../api/event.ts";
import type { channelDeleted, channelUpdated } from "../../api/events/channels.ts";
import type { flagAdded, flagRemoved } from "../../api/events/flags.ts";
import type {
  messageDeleted,
  messageSent,
  messagesDeleted,
  messageUpdated,
} from "../../api/events/messages.ts";
import type { submessageAdded } from "../../api/events/polls.ts";
import type { reactionAdded, reactionRemoved } from "../../api/events/reactions.ts";
import type { subscriptionRemoved } from "../../api/events/subscriptions.ts";
import { closedChannels } from "./channels.ts";
import { invariant, plainMap, type Subject, sorted } from "./subject.ts";
import type { WireObject } from "./wire.ts";

type MessageEvent = EventOf<typeof messageSent>;
type FlagEvent = EventOf<typeof flagAdded> | EventOf<typeof flagRemoved>;
export type UpdateEvent = EventOf<typeof messageUpdated>;
/** The event about deleted messages, in either form. */
export type DeletionEvent = EventOf<typeof messagesDeleted> | EventOf<typeof messageDeleted>;
type ReactionEvent = EventOf<typeof reactionAdded> | EventOf<typeof reactionRemoved>;
type SubmessageEvent = EventOf<typeof submessageAdded>;
type SubscriptionEvent =
  | EventOf<typeof subscriptionRemoved>
  | { op: "add" | "update" | "peer_add" | "peer_remove" };
type ChannelEvent = EventOf<typeof channelDeleted> | EventOf<typeof channelUpdated> | { op: "create" };
/** A message as events and listings carry it. */
export type MessageRecord = MessageEvent["message"];

/** Where an emoji comes from. The last one is an older name for the one before. */
export type ReactionType = "unicode_emoji" | "realm_emoji" | "service_extra_emoji" | "zulip_extra_emoji";

export interface Reaction {
  emojiName: string;
  emojiCode: string;
  reactionType: ReactionType;
  userId: number;
}

/** An addition to an interactive message; the first one defines the message. */
export interface Submessage {
  id: number;
  senderId: number;
  kind: string;
  /** JSON. */
  content: string;
}

export interface Message {
  id: number;
  to: { kind: "channel"; channelId: number; topic: string } | { kind: "direct"; userIds: number[] };
  /** The links in the topic's name. */
  topicLinks: { text: string; url: string }[];
  senderId: number;
  content: string;
  isHtml: boolean;
  client: string;
  isMeMessage: boolean;
  /** UNIX seconds. */
  sentAt: number;
  editedAt: number | undefined;
  movedAt: number | undefined;
  /** In the order in which they arrived. */
  reactions: Reaction[];
  /** By ID, which is the order in which they count. A new list whenever one is added. */
  submessages: Submessage[];
  flags: Set<string>;
}

/** The messages that arrived in events or were fetched and added. A snapshot contains none. */
export class Messages implements Subject {
  readonly byId = new Map<number, Message>();
  readonly handlers = {
    message: (event: MessageEvent) => this.handleMessageEvent(event),
    update_message_flags: (event: FlagEvent) => this.handleFlagEvent(event),
    update_message: (event: UpdateEvent) => this.handleUpdateEvent(event),
    delete_message: (event: DeletionEvent) => this.handleDeletionEvent(event),
    reaction: (event: ReactionEvent) => this.handleReactionEvent(event),
    submessage: (event: SubmessageEvent) => this.handleSubmessageEvent(event),
    subscription: (event: SubscriptionEvent) => this.handleSubscriptionEvent(event),
    stream: (event: ChannelEvent) => this.handleChannelEvent(event),
  };

  /** A client has no use for the organization's newest message at the time of the snapshot. */
  readonly keys = ["max_message_id"];

  /** Messages from a listing replace the known ones. */
  add(listed: readonly (MessageRecord & { flags: readonly string[] })[]): void {
    for (const { flags, ...record } of listed) this.#put(record, flags);
  }

  handleMessageEvent({ message, flags }: MessageEvent): void {
    this.#put(message, flags);
  }

  handleFlagEvent({ op, flag, messages, all }: FlagEvent): void {
    for (const id of all ? this.byId.keys() : messages) {
      const flags = this.byId.get(id)?.flags;
      if (op === "add") flags?.add(flag);
      else flags?.delete(flag);
    }
  }

  handleUpdateEvent(event: UpdateEvent): void {
    const place = newPlace(event);
    for (const id of event.message_ids) {
      const message = this.byId.get(id);
      if (!message) continue;
      if (place && message.to.kind === "channel") message.to = { ...message.to, ...place };
      if (event.topic_links) message.topicLinks = event.topic_links;
      if (place && !isResolution(event)) message.movedAt = event.edit_timestamp;
      if (event.new_stream_id !== undefined) setHistorical(message.flags, event.flags);
    }
    const message = this.byId.get(event.message_id);
    if (!message) return;
    message.flags = new Set(event.flags);
    if (event.content === undefined || event.rendered_content === undefined) return;
    message.content = message.isHtml ? event.rendered_content : event.content;
    message.isMeMessage = event.is_me_message ?? message.isMeMessage;
    // A preview of a link came late. Nobody has edited the message.
    if (!event.rendering_only) message.editedAt = event.edit_timestamp;
  }

  handleDeletionEvent(event: DeletionEvent): void {
    for (const id of deletedIds(event)) this.byId.delete(id);
  }

  handleReactionEvent({ op, message_id, ...event }: ReactionEvent): void {
    const message = this.byId.get(message_id);
    if (!message) return;
    const reaction = readReaction(event);
    const isSame = (other: Reaction) =>
      other.userId === reaction.userId &&
      other.reactionType === reaction.reactionType &&
      other.emojiCode === reaction.emojiCode;
    message.reactions = message.reactions.filter((other) => !isSame(other));
    if (op === "add") message.reactions.push(reaction);
  }

  /** Submessages that were added at the same moment may arrive in either order, so they are sorted by ID. */
  handleSubmessageEvent({ submessage_id, message_id, ...event }: SubmessageEvent): void {
    const message = this.byId.get(message_id);
    if (!message || message.submessages.some(({ id }) => id === submessage_id)) return;
    const added = readSubmessage({ ...event, id: submessage_id });
    message.submessages = [...message.submessages, added].sort((a, b) => a.id - b.id);
  }

  /** Messages from before the viewer left a channel count as read, even if the viewer comes back. */
  handleSubscriptionEvent(event: SubscriptionEvent): void {
    if (event.op !== "remove") return;
    this.#markRead(event.subscriptions.map(({ stream_id }) => stream_id));
  }

  /** What a channel had goes with it. Messages of an archived one count as read. */
  handleChannelEvent(event: ChannelEvent): void {
    const closed = closedChannels(event);
    this.#markRead(closed);
    if (event.op !== "delete") return;
    for (const [id, { to }] of this.byId)
      if (to.kind === "channel" && closed.includes(to.channelId)) this.byId.delete(id);
  }

  comparable(): unknown {
    return plainMap(this.byId, ({ flags, ...message }) => ({ ...message, flags: [...flags].sort() }));
  }

  #markRead(channelIds: readonly number[]): void {
    if (channelIds.length === 0) return;
    for (const { to, flags } of this.byId.values()) {
      if (to.kind === "channel" && channelIds.includes(to.channelId)) flags.add("read");
    }
  }

  #put(record: MessageRecord, flags: readonly string[]): void {
    this.byId.set(record.id, readMessage(record, flags));
  }
}

export function deletedIds(event: DeletionEvent): readonly number[] {
  return "message_ids" in event ? event.message_ids : [event.message_id];
}

/**
 * For messages that moved to another channel, the event's flags of one message say for all of them whether
 * the viewer received them.
 */
function setHistorical(flags: Set<string>, ofMoved: readonly string[]): void {
  if (ofMoved.includes("historical")) flags.add("historical");
  else flags.delete("historical");
}

/** Where a move puts messages; undefined if the event is not a move. */
export function newPlace(event: UpdateEvent): { channelId: number; topic: string } | undefined {
  const { stream_id, new_stream_id, orig_subject, subject } = event;
  if (stream_id === undefined || orig_subject === undefined) return undefined;
  return { channelId: new_stream_id ?? stream_id, topic: subject ?? orig_subject };
}

/** Resolving a topic, or reopening it, moves no message for its readers. */
function isResolution({ new_stream_id, orig_subject, subject }: UpdateEvent): boolean {
  if (new_stream_id !== undefined || orig_subject === undefined || subject === undefined) return false;
  return isTopicResolution(orig_subject, subject);
}

function readMessage(record: MessageRecord, flags: readonly string[]): Message {
  return {
    id: record.id,
    to: addresseesOf(record),
    topicLinks: record.topic_links,
    senderId: record.sender_id,
    content: record.content,
    isHtml: record.content_type === "text/html",
    client: record.client,
    isMeMessage: record.is_me_message,
    sentAt: record.timestamp,
    editedAt: record.last_edit_timestamp,
    movedAt: record.last_moved_timestamp,
    reactions: record.reactions.map(readReaction),
    submessages: record.submessages.map(readSubmessage),
    flags: new Set(flags),
  };
}

function readReaction(record: MessageRecord["reactions"][number]): Reaction {
  return {
    emojiName: record.emoji_name,
    emojiCode: record.emoji_code,
    reactionType: record.reaction_type as ReactionType,
    userId: record.user_id,
  };
}

function readSubmessage(record: Omit<MessageRecord["submessages"][number], "message_id">): Submessage {
  return { id: record.id, senderId: record.sender_id, kind: record.msg_type, content: record.content };
}

/** The channel and topic, or all people of the direct message, by ID. */
export function addresseesOf(record: MessageRecord): Message["to"] {
  if (record.type === "stream") {
    return { kind: "channel", channelId: record.stream_id as number, topic: record.subject };
  }
  const people = record.display_recipient as readonly WireObject[];
  return { kind: "direct", userIds: sorted(people.map(({ id }) => id as number)) };
}

export function checkInvariants(messages: Messages): void {
  for (const [id, message] of messages.byId) {
    invariant(message.id === id, `message ${id} is filed under another id`);
    const { to } = message;
    const hasSender = to.kind === "channel" || to.userIds.includes(message.senderId);
    invariant(hasSender, `message ${id} was sent to a conversation that its sender is not in`);
  }
}
