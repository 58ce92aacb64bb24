/**
 * Writes messages in the order of their times, with ids from 1: the organization has no other entries in its
 * log. A transaction has about 1,000, and says how far it came. So an interrupted import goes on behind the
 * last one.
 */
import { foldName } from "../../../api/fold-name.ts";
import type { ChannelId, MessageId, RecipientId, TopicId, UserId } from "../../../api/ids.ts";
import { MAX_MESSAGE_LENGTH } from "../../../api/limits.ts";
import type { Channel } from "../../channels/channel.ts";
import { findOrInsertConversation } from "../../channels/recipients/conversation-store.ts";
import { findOrInsertTopic } from "../../channels/recipients/topic-store.ts";
import { addPastLinks } from "../../content/past.ts";
import { type PastMessageRow, writePastMessages } from "../../messages/past-messages.ts";
import { notificationBotOf } from "../../people/notification-bot.ts";
import type { Database, Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { WrittenUploads } from "./files.ts";
import type { WrittenIds } from "./ids.ts";
import type { Plan } from "./plan.ts";
import type { ReadStates } from "./readers.ts";
import type { ImportSource, SourceMessage, TextIds } from "./records.ts";
import type { Report } from "./report.ts";
import type { Spool } from "./spool.ts";
import { insertSources, updateImport } from "./store.ts";

const BATCH_MESSAGES = 1000;
const BATCH_CHARS = 4 * 1024 * 1024;
/** Topics and conversations whose ids are kept. */
const MAX_KEPT = 200_000;
const UPLOAD_LINK = /\/user_uploads\/([A-Za-z0-9_./-]+)/g;

export interface MessageTarget {
  database: Database;
  /** The memory of the organization as it is without its messages. */
  state: OrganizationState;
  source: ImportSource;
  plan: Plan;
  ids: WrittenIds;
  uploads: WrittenUploads;
  /** Learns of all messages, also those that an earlier run has written. */
  readStates: ReadStates;
  report: Report;
  signal: AbortSignal | undefined;
  onWritten(count: number): void;
}

/** `written`: by earlier runs. */
export async function writeMessages(target: MessageTarget, spool: Spool, written: number): Promise<void> {
  const writer = new MessageWriter(target, spool);
  let place = 0;
  let batch: { place: number; message: SourceMessage }[] = [];
  let chars = 0;
  for await (const message of spool.messages()) {
    place++;
    const isLong = chars + message.text.length > BATCH_CHARS || batch.length === BATCH_MESSAGES;
    if (isLong && batch.length > 0) {
      target.signal?.throwIfAborted();
      await writer.write(batch);
      target.onWritten(place - 1);
      batch = [];
      chars = 0;
    }
    // Read states need the places of messages that an earlier run has written, too.
    await writer.note(place, message, place <= written);
    if (place <= written) continue;
    batch.push({ place, message });
    chars += message.text.length;
  }
  if (batch.length > 0) await writer.write(batch);
  target.onWritten(place);
}

class MessageWriter {
  readonly #target: MessageTarget;
  readonly #textIds: TextIds;
  readonly #topics = new Map<string, TopicId>();
  readonly #conversations = new Map<string, RecipientId>();
  readonly #botId: UserId;
  /** Who was ever subscribed to a private channel, so that they knew of it. */
  readonly #knows: ReadonlyMap<ChannelId, ReadonlySet<UserId>>;

  constructor(target: MessageTarget, spool: Spool) {
    this.#target = target;
    const { source, plan, ids, uploads, report } = target;
    this.#botId = notificationBotOf(target.state).id;
    const names = new Map(plan.people.map((person) => [person.id, person.fullName]));
    const nameOf = (id: string) => names.get(plan.sameAs.get(id) ?? id) ?? "";
    this.#textIds = {
      person(id) {
        const found = ids.people.get(id);
        return found === undefined ? undefined : { id: found, name: nameOf(id) };
      },
      channel: (id) => ids.channels.get(id),
      message: (id) => spool.placeOf(id),
      upload: (id) => uploads.paths.get(id),
      lost: (reason) => report.lose(reason),
    };
    const knows = new Map<ChannelId, Set<UserId>>();
    for (const { channelId, personId } of source.subscriptions()) {
      const [channel, person] = [ids.channels.get(channelId), ids.people.get(personId)];
      if (channel === undefined || person === undefined) continue;
      const people = knows.get(channel);
      if (people) people.add(person);
      else knows.set(channel, new Set([person]));
    }
    this.#knows = knows;
  }

  /** `isWritten`: its topic or conversation is there. */
  async note(place: number, message: SourceMessage, isWritten: boolean): Promise<void> {
    const { readStates, ids, database, state } = this.#target;
    const { to, order, sentAt } = message;
    const at = { place, order, sentAt };
    const readers = message.unreadBy.flatMap((id) => ids.people.get(id) ?? []);
    if ("channelId" in to) {
      readStates.note(ids.channels.get(to.channelId) as ChannelId, at, readers, true);
      return;
    }
    if (!isWritten) return;
    const people = this.#people(to.personIds);
    const id = await findOrInsertConversation(database, state.organizationId, people);
    readStates.note(id as number as RecipientId, at, readers, false, people);
  }

  async write(batch: readonly { place: number; message: SourceMessage }[]): Promise<void> {
    const { database, state, source } = this.#target;
    const { organizationId } = state;
    const last = (batch.at(-1) as { place: number }).place;
    await database.transaction(
      async (tx) => {
        const rows: PastMessageRow[] = [];
        for (const { place, message } of batch) rows.push(await this.#row(tx, place, message));
        await writePastMessages(tx, state, rows);
        const links = rows.flatMap(({ id, sentAt, uploads }) =>
          [...uploads.values()].map(({ id: uploadId }) => ({ uploadId, messageId: id, sentAt })),
        );
        if (links.length > 0) await addPastLinks(tx, organizationId, links);
        const pairs = batch.map(({ place, message }) => [String(message.id), place] as const);
        await insertSources(tx, organizationId, source.name, "message", pairs);
        await updateImport(tx, organizationId, { step: "messages", messages: last });
      },
      { lane: "background" },
    );
    for (const { place, message } of batch) this.#noteDirect(place, message);
  }

  #noteDirect(place: number, message: SourceMessage): void {
    const { readStates, ids } = this.#target;
    const { order, sentAt } = message;
    if ("channelId" in message.to) return;
    const people = this.#people(message.to.personIds);
    const id = this.#conversations.get(people.join()) as RecipientId;
    const readers = message.unreadBy.flatMap((each) => ids.people.get(each) ?? []);
    readStates.note(id, { place, order, sentAt }, readers, false, people);
  }

  async #row(tx: Queryable, place: number, message: SourceMessage): Promise<PastMessageRow> {
    const { ids, source } = this.#target;
    const { to } = message;
    const senderId = this.#person(message.senderId);
    const content = this.#convert(source, message.text);
    const channelId = "channelId" in to ? (ids.channels.get(to.channelId) as ChannelId) : undefined;
    const topicId = "channelId" in to ? await this.#topic(tx, channelId as ChannelId, to.topic) : null;
    const recipientId =
      "channelId" in to
        ? (channelId as number as RecipientId)
        : await this.#conversation(tx, this.#people(to.personIds));
    return {
      id: place as MessageId,
      sentAt: new Date(message.sentAt),
      recipientId,
      topicId,
      senderId,
      client: message.client,
      editedAt: message.editedAt === null ? null : new Date(message.editedAt),
      movedAt: message.movedAt === null ? null : new Date(message.movedAt),
      content,
      uploads: this.#uploadsOf(content),
      canLink: (channel: Channel) =>
        !channel.isPrivate || this.#knows.get(channel.id)?.has(senderId) === true,
      edits: message.edits.map((edit) => ({
        editorId: edit.editorId === undefined ? this.#botId : this.#person(edit.editorId),
        editedAt: new Date(edit.at),
        previousContent: edit.previousText === null ? null : this.#convert(source, edit.previousText),
        previousTopic: edit.previousTopic,
        topic: edit.topic,
        previousChannelId:
          edit.previousChannelId === null ? null : (ids.channels.get(edit.previousChannelId) ?? null),
        channelId: edit.channelId === null ? null : (ids.channels.get(edit.channelId) ?? null),
        previousTopicId: null,
      })),
      flags: message.flags.flatMap(([id, bits]) => {
        const person = ids.people.get(id);
        return person === undefined ? [] : [[person, bits] as const];
      }),
    };
  }

  #convert(source: ImportSource, text: string): string {
    const converted = source.convert(text, this.#textIds);
    if (converted.length > MAX_MESSAGE_LENGTH)
      this.#target.report.lose("texts that became too long by names and addresses of here were cut");
    return converted.slice(0, MAX_MESSAGE_LENGTH);
  }

  /** The service's own accounts of the source are the notification bot here. */
  #person(id: string): UserId {
    return this.#target.ids.people.get(id) ?? this.#botId;
  }

  #people(ids: readonly string[]): UserId[] {
    return [...new Set(ids.map((id) => this.#person(id)))].sort((a, b) => a - b);
  }

  #uploadsOf(content: string): WrittenUploads["byPath"] {
    const { byPath } = this.#target.uploads;
    if (byPath.size === 0 || !content.includes("/user_uploads/")) return NO_UPLOADS;
    const found = [...content.matchAll(UPLOAD_LINK)].flatMap(([, path = ""]) => {
      const upload = byPath.get(path);
      return upload ? [[path, upload] as const] : [];
    });
    return new Map(found);
  }

  async #topic(tx: Queryable, channelId: ChannelId, name: string): Promise<TopicId> {
    const key = `${channelId} ${foldName(name)}`;
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const { id } = await findOrInsertTopic(tx, this.#target.state.organizationId, channelId, name);
    if (this.#topics.size >= MAX_KEPT) this.#topics.clear();
    this.#topics.set(key, id);
    return id;
  }

  async #conversation(tx: Queryable, people: UserId[]): Promise<RecipientId> {
    const key = people.join();
    const known = this.#conversations.get(key);
    if (known !== undefined) return known;
    const id = await findOrInsertConversation(tx, this.#target.state.organizationId, people);
    this.#conversations.set(key, id as number as RecipientId);
    return id as number as RecipientId;
  }
}

const NO_UPLOADS: WrittenUploads["byPath"] = new Map();
