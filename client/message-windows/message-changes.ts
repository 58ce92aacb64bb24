/** What an event changes, in the words of narrows: of which messages, or in which channels. */
import { type DeletionEvent, deletedIds, newPlace, type UpdateEvent } from "../model/messages.ts";
import type { ChangeKind } from "../narrow-operators.ts";

/** Without messages and channels, it may be any. */
export interface MessageChange {
  kind: ChangeKind;
  messageIds?: readonly number[];
  channelIds?: readonly number[];
}

type AnyEvent = { type: string } & Record<string, unknown>;
// Each reader knows the events of its type.
// biome-ignore lint/suspicious/noExplicitAny: the table mixes readers of every type.
type Read = (event: any, viewerId: number) => readonly MessageChange[];

/** What decides who may read a channel. Names and figures of channels change more often. */
const accessProperties = new Set([
  "is_archived",
  "invite_only",
  "is_web_public",
  "history_public_to_subscribers",
  "can_subscribe_group",
  "can_add_subscribers_group",
]);

/** By the type of the event. Other types change no message and no narrow. */
export const changeReaders: Readonly<Record<string, Read>> = {
  message: ({ message }: { message: { id: number } }) => [{ kind: "arrival", messageIds: [message.id] }],
  update_message: (event: UpdateEvent) => [
    ...(newPlace(event) ? [{ kind: "move", messageIds: event.message_ids } as const] : []),
    ...(event.content === undefined ? [] : [{ kind: "edit", messageIds: [event.message_id] } as const]),
  ],
  delete_message: (event: DeletionEvent) => [{ kind: "deletion", messageIds: deletedIds(event) }],
  reaction: ({ message_id }: { message_id: number }) => [{ kind: "reaction", messageIds: [message_id] }],
  update_message_flags: readFlags,
  user_topic: () => [{ kind: "topicPolicy" }],
  subscription: readSubscription,
  stream: readChannel,
  realm_user: ({ person }: { person?: { user_id?: number; role?: number } }, viewerId) =>
    person?.role !== undefined && person.user_id === viewerId ? [{ kind: "access" }] : [],
};

export function changesOf(event: AnyEvent, viewerId: number): readonly MessageChange[] {
  return changeReaders[event.type]?.(event, viewerId) ?? [];
}

interface FlagEvent {
  op: "add" | "remove";
  flag: string;
  messages: number[];
  all: boolean;
}

function readFlags({ op, flag, messages, all }: FlagEvent): readonly MessageChange[] {
  const kind = flag === "starred" ? "star" : flag !== "read" ? undefined : op === "add" ? "read" : "unread";
  return kind ? [{ kind, ...(!all && { messageIds: messages }) }] : [];
}

interface SubscriptionEvent {
  op: string;
  property?: string;
  subscriptions?: { stream_id: number }[];
}

function readSubscription({ op, property, subscriptions = [] }: SubscriptionEvent): readonly MessageChange[] {
  if (op === "update") return property === "is_muted" ? [{ kind: "muting" }] : [];
  if (op !== "add" && op !== "remove") return [];
  return [{ kind: "subscription", channelIds: subscriptions.map(({ stream_id }) => stream_id) }];
}

interface ChannelEvent {
  op: string;
  property?: string;
  stream_id?: number;
  stream_ids?: number[];
  streams?: { stream_id: number }[];
}

function readChannel({ op, property, stream_id, ...event }: ChannelEvent): readonly MessageChange[] {
  if (op !== "update") {
    const ids = event.stream_ids ?? event.streams?.map((stream) => stream.stream_id) ?? [];
    return [{ kind: "access", channelIds: ids }];
  }
  if (stream_id === undefined || !accessProperties.has(property ?? "")) return [];
  return [{ kind: "access", channelIds: [stream_id] }];
}
