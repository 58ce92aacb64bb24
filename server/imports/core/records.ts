/**
 * What a reader of a source yields, and what the writer takes. Things are named by the source's own ids, as
 * texts; messages by numbers or texts. A reader has checked the form of what it yields; the writer checks
 * names, references and limits.
 */

import type { Role } from "../../../api/roles.ts";
import type { TopicsPolicy } from "../../channels/channel.ts";
import type { PastPreferences } from "../../channels/past.ts";
import type { ArchiveFile } from "../archive/unpack.ts";
import type { Report } from "./report.ts";

export type MessageSourceId = number | string;

export interface SourceOrganization {
  name: string;
  createdAt: Date;
  /** null: forever. */
  messageRetentionDays: number | null;
}

export interface SourcePerson {
  id: string;
  /** undefined: the archive does not have it. */
  email: string | undefined;
  fullName: string;
  role: Role;
  isActive: boolean;
  /** null: a person. */
  botType: number | null;
  ownerId: string | undefined;
  timezone: string;
  joinedAt: Date;
}

export interface SourceGroup {
  id: string;
  name: string;
  description: string;
  creatorId: string | undefined;
  createdAt: Date;
  isActive: boolean;
  memberIds: string[];
  /** Ids of groups, or names of groups of roles such as `role:members`. */
  subgroupIds: string[];
}

/**
 * Who may do something: people and groups, as in `SourceGroup`. A single group and nobody else is that
 * group.
 */
export interface SourcePermission {
  memberIds: string[];
  subgroupIds: string[];
}

export interface SourceFolder {
  id: string;
  name: string;
  description: string;
  creatorId: string | undefined;
  order: number;
  isArchived: boolean;
}

export interface SourceChannel {
  id: string;
  name: string;
  description: string;
  isPrivate: boolean;
  isWebPublic: boolean;
  isHistoryShared: boolean;
  isDefault: boolean;
  isArchived: boolean;
  topicsPolicy: TopicsPolicy;
  /** null: as the organization; -1: forever. */
  messageRetentionDays: number | null;
  folderId: string | undefined;
  creatorId: string | undefined;
  createdAt: Date;
  /** By the permission's name in the API. */
  permissions: Record<string, SourcePermission>;
}

/** When somebody was subscribed to a channel. They received messages of these orders. */
export interface SourceSubscription {
  channelId: string;
  personId: string;
  intervals: { after: number; upTo: number }[];
  /** Whether the last interval lasts. */
  isCurrent: boolean;
  preferences: Omit<PastPreferences, "channelId" | "userId">;
}

export interface SourceEmoji {
  id: string;
  name: string;
  authorId: string | undefined;
  isActive: boolean;
  /** undefined: the archive does not have it. */
  file: ArchiveFile | undefined;
}

export interface SourceUpload {
  /** What texts name it by, see `ImportSource.convert`. */
  id: string;
  fileName: string;
  ownerId: string;
  createdAt: Date;
  file: ArchiveFile | undefined;
}

export interface SourceTopicPolicy {
  channelId: string;
  topic: string;
  personId: string;
  /** 1 muted, 2 unmuted, 3 followed. */
  policy: 1 | 2 | 3;
  at: Date;
}

export interface SourceEdit {
  editorId: string | undefined;
  /** Milliseconds. */
  at: number;
  previousText: string | null;
  previousTopic: string | null;
  topic: string | null;
  previousChannelId: string | null;
  channelId: string | null;
}

/** It is written to a file and read again, so it has only what JSON has. */
export interface SourceMessage {
  id: MessageSourceId;
  /** Orders messages of the same time, and is what intervals of subscriptions name. */
  order: number;
  /** Milliseconds. */
  sentAt: number;
  senderId: string;
  /** `personIds`: everybody in the conversation, the sender too. */
  to: { channelId: string; topic: string } | { personIds: string[] };
  text: string;
  client: string;
  editedAt: number | null;
  movedAt: number | null;
  edits: SourceEdit[];
  /** Bits of `pastFlags` by person. */
  flags: [string, number][];
  /** The people who have not read it, of those who received it. */
  unreadBy: string[];
}

export interface SourceReaction {
  messageId: MessageSourceId;
  personId: string;
  reactionType: "unicode_emoji" | "realm_emoji" | "zulip_extra_emoji";
  /** A custom emoji has its id in the source here. */
  emojiCode: string;
  emojiName: string;
}

/** How far somebody had read in a channel or conversation: what is newer is unread. */
export interface SourceReadMark {
  personId: string;
  /** `personIds`: everybody in the conversation. */
  to: { channelId: string } | { personIds: string[] };
  /** Milliseconds. */
  readUntil: number;
}

/** By what ids of the source are replaced in texts. undefined: it was not imported. */
export interface TextIds {
  person(id: string): { id: number; name: string } | undefined;
  channel(id: string): number | undefined;
  message(id: MessageSourceId): number | undefined;
  /** The path of an upload in addresses here. */
  upload(id: string): string | undefined;
  /** Counts a link that leads nowhere. */
  lost(reason: string): void;
}

export interface ImportSource {
  /** As commands name it. */
  name: string;
  digest: string;
  organization: SourceOrganization;
  people: readonly SourcePerson[];
  /** Accounts of the service itself, whose messages the notification bot here is shown to have sent. */
  systemIds: ReadonlySet<string>;
  groups: readonly SourceGroup[];
  folders: readonly SourceFolder[];
  channels: readonly SourceChannel[];
  emoji: readonly SourceEmoji[];
  uploads: readonly SourceUpload[];
  topicPolicies: readonly SourceTopicPolicy[];
  /** For sources that have no `unreadBy` of messages. */
  readMarks: readonly SourceReadMark[];
  /** Complete once all messages have been read. */
  subscriptions(): readonly SourceSubscription[];
  /** In any order. Skips what can't be read, and tells the report. */
  messages(report: Report): AsyncIterable<SourceMessage>;
  reactions(report: Report): AsyncIterable<SourceReaction>;
  /** The text as it stands here. */
  convert(text: string, ids: TextIds): string;
}
