/**
 * What the follower needs of log entries, noted as each is applied. A note has no text, so notes take little
 * memory until they are decided, and the log need not be read again for them. Entries from before the notes
 * began, or beyond their limit, are read from the log.
 */
import type { GroupId, MessageId, Position, TopicId, UserId } from "../../../api/ids.ts";
import { loggedMessage, type MessagePayload } from "../../messages/delivery/message-log.ts";
import { type MentioningEdit, mentioningEditOf } from "../../messages/mentions/added-mentions.ts";
import type { LogEntry } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedFields } from "../../platform/log/stored-event.ts";

/** A new message without its text. `sentAt` is in UNIX seconds. */
export interface NewMessage {
  id: MessageId;
  /** The channel, or the people of a direct message. */
  recipientId: MessagePayload["message"]["recipientId"];
  topicId: TopicId | null;
  senderId: UserId;
  sentAt: number;
  facts: number;
  mentionedGroupIds: GroupId[] | null;
  mentionedGroupPositions: number[] | null;
  userIds: readonly UserId[] | null;
  /** Bits of `personalFlags` by person. */
  personal: readonly (readonly [UserId, number])[];
}

export type Note = { position: Position; message: NewMessage } | { position: Position; edit: MentioningEdit };

/** Notes of one organization. Beyond them the older half is forgotten, and the log is read for it. */
export const MAX_NOTES = 50_000;

/** The notes about one organization, in the order of the log. */
export class News {
  #notes: Note[] = [];
  #after: Position;

  constructor(state: OrganizationState) {
    this.#after = state.position;
    state.listen((entry) => this.#note(entry));
  }

  /** All that came after this position is noted. */
  get after(): Position {
    return this.#after;
  }

  /** Whether there is a note after this position. */
  hasAfter(position: Position): boolean {
    const last = this.#notes.at(-1);
    return last !== undefined && last.position > position;
  }

  /** The notes with after < position <= end, at most `limit`, the oldest first. */
  between(after: Position, end: Position, limit: number): Note[] {
    const from = firstAfter(this.#notes, after);
    const to = Math.min(firstAfter(this.#notes, end), from + limit);
    return this.#notes.slice(from, to);
  }

  /** What is decided is not needed again. */
  forget(upTo: Position): void {
    if (upTo <= this.#after) return;
    this.#notes = this.#notes.slice(firstAfter(this.#notes, upTo));
    this.#after = upTo;
  }

  #note(entry: LogEntry): void {
    const note = noteOf(entry);
    if (note === undefined) return;
    this.#notes.push(note);
    if (this.#notes.length > MAX_NOTES) this.forget((this.#notes[MAX_NOTES / 2] as Note).position);
  }
}

/** undefined: the entry is no news. */
export function noteOf(entry: LogEntry): Note | undefined {
  const payload = storedFields(loggedMessage, entry.payload);
  if (payload) return { position: entry.position, message: newMessageOf(payload) };
  const edit = mentioningEditOf(entry);
  return edit && { position: entry.position, edit };
}

function newMessageOf({ message, userIds, personal }: MessagePayload): NewMessage {
  return {
    id: message.id as MessageId,
    recipientId: message.recipientId,
    topicId: message.topicId,
    senderId: message.senderId,
    sentAt: message.sentAt,
    facts: message.facts,
    mentionedGroupIds: message.mentionedGroupIds,
    mentionedGroupPositions: message.mentionedGroupPositions,
    userIds: userIds as readonly UserId[] | null,
    personal: personal as NewMessage["personal"],
  };
}

/** The index of the first note after the position. */
function firstAfter(notes: readonly Note[], position: Position): number {
  let [from, to] = [0, notes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((notes[middle] as Note).position <= position) from = middle + 1;
    else to = middle;
  }
  return from;
}

const known = new WeakMap<OrganizationState, News>();

/** The organization's notes. They begin with the first call. */
export function newsOf(state: OrganizationState): News {
  let news = known.get(state);
  if (!news) {
    news = new News(state);
    known.set(state, news);
  }
  return news;
}
