/**
 * The messages of all conversations. They are read three times: for people and threads, for themselves, and
 * for reactions. Each time the same message has the same id.
 */
import { readJsonList } from "../archive/json-rows.ts";
import { isRow, type Row, textOf } from "../archive/row.ts";
import type { Archive } from "../archive/unpack.ts";
import type { SourceMessage, SourceReaction } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { rowsOf } from "../texts/attachments.ts";
import { unicodeEmoji } from "../texts/emoji.ts";
import type { Conversation } from "./conversations.ts";
import { filesOf, linkToFile } from "./files.ts";
import { convertMrkdwn } from "./mrkdwn.ts";
import { type SlackPeople, slackId } from "./people.ts";
import { convertBotAttachments, convertBotBlocks, convertRichText } from "./rich-text.ts";
import { keyOfThread, type SlackThreads } from "./threads.ts";

const DAY_FILE = /^(.+)\/\d{4}-\d\d-\d\d\.json$/;
const TIME = /^(\d{1,10})\.(\d{6})$/;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Ten messages of the longest here. */
const MAX_TEXT = 100_000;

const notCarried: Record<string, string> = {
  bot_remove: "notices of members, pins and bots do not come",
  channel_join: "notices of members, pins and bots do not come",
  channel_leave: "notices of members, pins and bots do not come",
  group_join: "notices of members, pins and bots do not come",
  group_leave: "notices of members, pins and bots do not come",
  pinned_item: "notices of members, pins and bots do not come",
  unpinned_item: "notices of members, pins and bots do not come",
  channel_archive: "notices of changed channels do not come",
  channel_name: "notices of changed channels do not come",
  channel_purpose: "notices of changed channels do not come",
  channel_topic: "notices of changed channels do not come",
  channel_unarchive: "notices of changed channels do not come",
  group_archive: "notices of changed channels do not come",
  group_name: "notices of changed channels do not come",
  group_purpose: "notices of changed channels do not come",
  group_topic: "notices of changed channels do not come",
  group_unarchive: "notices of changed channels do not come",
  huddle_thread: "huddles do not come",
  sh_room_created: "huddles do not come",
  tombstone: "deleted messages do not come",
};

export interface SlackRow {
  conversation: Conversation;
  row: Row;
  /** undefined: it has no time that can be read. */
  time: { id: string; ts: string; sentAt: number } | undefined;
}

export class SlackMessages {
  readonly #files: readonly { name: string; path: string; conversation: Conversation }[];
  readonly people: SlackPeople;
  readonly threads: SlackThreads;

  constructor(
    archive: Archive,
    byFolder: ReadonlyMap<string, Conversation>,
    { people, threads, report }: { people: SlackPeople; threads: SlackThreads; report: Report },
  ) {
    this.people = people;
    this.threads = threads;
    this.#files = [...archive.files]
      .flatMap(([name, { path }]) => {
        const folder = DAY_FILE.exec(name)?.[1];
        if (folder === undefined) return [];
        const conversation = byFolder.get(folder);
        if (conversation) return { name, path, conversation };
        report.lose("folders of channels that no list names were left out", name);
        return [];
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async *rows(): AsyncGenerator<SlackRow> {
    let last: Conversation | undefined;
    let seen = new Map<string, number>();
    for (const { name, path, conversation } of this.#files) {
      if (conversation !== last) seen = new Map();
      last = conversation;
      for await (const row of readJsonList(path, name)) {
        yield isRow(row)
          ? { conversation, row, time: timeOf(row, conversation, seen) }
          : { conversation, row: {}, time: undefined };
      }
    }
  }

  async *read(report: Report): AsyncGenerator<SourceMessage> {
    let order = 0;
    for await (const each of this.rows()) {
      const reason = reasonAgainst(each.row);
      if (reason !== undefined) {
        report.lose(reason);
        continue;
      }
      const message = this.#message(each, ++order, report);
      if (message) yield message;
    }
  }

  async *reactions(report: Report): AsyncGenerator<SourceReaction> {
    for await (const { row, time } of this.rows()) {
      if (time === undefined || reasonAgainst(row) !== undefined) continue;
      const done = new Set<string>();
      for (const reaction of rowsOf(row.reactions)) {
        const name = textOf(reaction, "name")?.replace(/::skin-tone-[2-6]$/, "") ?? "";
        const emoji = unicodeEmoji(name);
        const users = Array.isArray(reaction.users) ? reaction.users : [];
        for (const user of users) {
          const personId = slackId({ user }, "user");
          const key = `${personId} ${emoji?.emojiCode ?? name}`;
          // Skin tones of one emoji are one reaction here.
          if (done.has(key)) continue;
          done.add(key);
          report.found("reactions");
          if (personId === undefined || name === "") {
            report.lose("reactions that can't be read were left out");
            continue;
          }
          yield emoji
            ? { messageId: time.id, personId, reactionType: "unicode_emoji", ...emoji }
            : { messageId: time.id, personId, reactionType: "realm_emoji", emojiCode: name, emojiName: name };
        }
      }
    }
  }

  #message({ conversation, row, time }: SlackRow, order: number, report: Report): SourceMessage | undefined {
    report.found("messages");
    if (time === undefined) {
      report.lose("messages without a time were left out", textOf(row, "text"));
      return undefined;
    }
    if (time.sentAt > Date.now() + DAY_MS) {
      report.lose("messages of the future were left out", `message ${time.id}`);
      return undefined;
    }
    const senderId = this.people.senderOf(row);
    if (senderId === undefined) {
      report.lose("messages without a sender were left out", `message ${time.id}`);
      return undefined;
    }
    const { channel, memberIds, id } = conversation;
    const edited = isRow(row.edited) ? TIME.exec(textOf(row.edited, "ts") ?? "") : null;
    const topic = this.threads.topicOf(keyOfThread(id, row, time.ts));
    return {
      id: time.id,
      order,
      sentAt: time.sentAt,
      senderId,
      to: channel ? { channelId: channel.id, topic } : { personIds: [...new Set([...memberIds, senderId])] },
      text: textOfMessage(row, report),
      client: "Slack",
      editedAt: edited ? Number(edited[1]) * 1000 : null,
      movedAt: null,
      edits: [],
      flags: [],
      unreadBy: [],
    };
  }
}

function timeOf(row: Row, { id }: Conversation, seen: Map<string, number>): SlackRow["time"] {
  const ts = textOf(row, "ts") ?? "";
  const match = TIME.exec(ts);
  if (!match) return undefined;
  const count = (seen.get(ts) ?? 0) + 1;
  seen.set(ts, count);
  const sentAt = Number(match[1]) * 1000 + Math.floor(Number(match[2]) / 1000);
  return { id: count === 1 ? `${id}:${ts}` : `${id}:${ts}#${count}`, ts, sentAt };
}

/** Why a message is none that comes. */
export function reasonAgainst(row: Row): string | undefined {
  const subtype = textOf(row, "subtype") ?? "";
  if (Object.hasOwn(notCarried, subtype)) return notCarried[subtype];
  if (row.hidden === true || row.user === "U00") return "hidden records do not come";
  return undefined;
}

/** Markdown, with references to be resolved. */
function textOfMessage(row: Row, report: Report): string {
  const comment = isRow(row.comment) ? textOf(row.comment, "comment") : undefined;
  let given = comment ?? textOf(row, "text") ?? "";
  if (given.length > MAX_TEXT) {
    report.lose("messages of more than 100,000 characters were cut");
    given = given.slice(0, MAX_TEXT);
  }
  const rich = convertRichText(row.blocks);
  const own = (rich ?? convertMrkdwn(given)).slice(0, MAX_TEXT);
  const blocks = convertBotBlocks(row);
  // Bots repeat their blocks as a plain text. A rich text is a block itself, and repeats no other.
  const isRepeated = rich === undefined && blocks.length > 0;
  const files = filesOf(row).map((file) => linkToFile(file, report));
  const parts = [isRepeated ? "" : own, ...blocks, ...convertBotAttachments(row), ...files].filter(
    (part) => part !== "",
  );
  const text = parts.join("\n").slice(0, MAX_TEXT);
  return row.subtype === "me_message" ? `/me ${text}` : text;
}

/** The first words of a message, without syntax. */
export function firstWords(row: Row): string {
  const text = textOf(row, "text") ?? "";
  const [file] = filesOf(row);
  return text.slice(0, 300) || (file && (textOf(file, "name") ?? "")) || "";
}
