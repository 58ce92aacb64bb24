/**
 * The messages of all channels and conversations. The file is read for people and threads, for the messages
 * themselves, and for reactions. Each time the same message has the same id.
 */
import { pastFlags } from "../../messages/past-messages.ts";
import { flagOf, isRow, type Row, textOf } from "../archive/row.ts";
import type { Archive } from "../archive/unpack.ts";
import type { SourceMessage, SourceReaction, SourceTopicPolicy } from "../core/records.ts";
import type { Report } from "../core/report.ts";
import { ThreadTopics, wordsOf } from "../core/thread-topics.ts";
import { rowsOf } from "../texts/attachments.ts";
import type { MattermostChannels } from "./channels.ts";
import { standardEmoji } from "./emoji.ts";
import type { MattermostFiles } from "./files.ts";
import type { MattermostPeople } from "./people.ts";
import { type MattermostRecord, type Post, postsOf, readRecords } from "./records.ts";
import { textOfPost } from "./text.ts";
import { timeIn } from "./times.ts";
import { usernameIn, usernamesIn } from "./usernames.ts";
import { firstWords } from "./writers.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FOLLOWED = 3;

export interface MattermostParts {
  archive: Archive;
  people: MattermostPeople;
  channels: MattermostChannels;
  files: MattermostFiles;
  emoji: ReadonlySet<string>;
  /** The address of the source, whose links to channels become links here. */
  oldUrl: string | undefined;
}

export class MattermostMessages {
  readonly #parts: MattermostParts;
  readonly #threads = new ThreadTopics("Mattermost");
  readonly #followers: Omit<SourceTopicPolicy, "topic">[] = [];
  readonly #followed: string[] = [];

  constructor(parts: MattermostParts) {
    this.#parts = parts;
  }

  /** Finds people whom no list has, files, threads, and who follows them. */
  note(record: MattermostRecord, report: Report): void {
    const { people, channels, files } = this.#parts;
    let replies = 0;
    let root: { post: Post; sentAt: number } | undefined;
    for (const post of postsOf(record)) {
      const [senderId, sentAt] = [usernameIn(post.row, "user"), timeIn(post.row, "create_at")];
      if (senderId === undefined || sentAt === undefined || reasonAgainst(post.row) !== undefined) continue;
      people.addStranger(senderId, report);
      files.note(post.row, { ownerId: senderId, sentAt }, report);
      if ("personIds" in post.to) {
        for (const id of post.to.personIds) people.addStranger(id, report);
      } else {
        channels.notePost(post.to.channelId, sentAt);
        if (root) replies++;
        root ??= { post, sentAt };
      }
    }
    if (root && replies > 0) this.#noteThread(root.post, root.sentAt, report);
  }

  /** `post`: the first message of the thread that comes. */
  #noteThread({ row, root, rootId, to }: Post, at: number, report: Report): void {
    if (!("channelId" in to) || !this.#parts.channels.has(to.channelId)) return;
    this.#threads.add({ key: rootId, channelId: to.channelId, at, words: wordsOf(wordsIn(row)) });
    for (const follower of rowsOf(root.thread_followers)) {
      const personId = usernameIn(follower, "user");
      report.found("topic policies");
      if (personId === undefined || !this.#parts.people.has(personId)) {
        report.lose("followers of threads who are not in the archive were left out");
        continue;
      }
      const viewed = timeIn(follower, "last_viewed");
      this.#followers.push({
        channelId: to.channelId,
        personId,
        policy: FOLLOWED,
        at: new Date(viewed ?? at),
      });
      this.#followed.push(rootId);
    }
  }

  /** To be called once all records were noted. */
  end(): SourceTopicPolicy[] {
    this.#threads.end();
    return this.#followers.map((follower, index) => ({
      ...follower,
      topic: this.#threads.topicOf(this.#followed[index] as string),
    }));
  }

  async *read(report: Report): AsyncGenerator<SourceMessage> {
    let order = 0;
    for await (const record of readRecords(this.#parts.archive)) {
      for (const post of postsOf(record)) {
        const reason = reasonAgainst(post.row);
        if (reason !== undefined) {
          report.lose(reason);
          continue;
        }
        const message = this.#message(post, ++order, report);
        if (message) yield message;
      }
    }
  }

  async *reactions(report: Report): AsyncGenerator<SourceReaction> {
    for await (const record of readRecords(this.#parts.archive)) {
      for (const { id, row } of postsOf(record)) {
        if (reasonAgainst(row) === undefined) yield* this.#reactionsOf(id, row, report);
      }
    }
  }

  *#reactionsOf(messageId: string, row: Row, report: Report): Generator<SourceReaction> {
    const done = new Set<string>();
    for (const reaction of rowsOf(row.reactions)) {
      const personId = usernameIn(reaction, "user");
      const name = textOf(reaction, "emoji_name")?.toLowerCase() ?? "";
      const emoji = this.#parts.emoji.has(name) ? undefined : standardEmoji(name);
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
        ? { messageId, personId, reactionType: "unicode_emoji", ...emoji }
        : { messageId, personId, reactionType: "realm_emoji", emojiCode: name, emojiName: name };
    }
  }

  #message(post: Post, order: number, report: Report): SourceMessage | undefined {
    const { id, row, rootId, to } = post;
    const example = `message ${id}`;
    report.found("messages");
    const sentAt = timeIn(row, "create_at");
    if (sentAt === undefined) {
      report.lose("messages without a time were left out", textOf(row, "message"));
      return undefined;
    }
    if (sentAt > Date.now() + DAY_MS) {
      report.lose("messages of the future were left out", example);
      return undefined;
    }
    const senderId = usernameIn(row, "user");
    if (senderId === undefined) {
      report.lose("messages without a sender were left out", example);
      return undefined;
    }
    // Without all of them it would be another conversation, which others may read.
    if (!hasReadableMembers(post)) {
      report.lose("direct messages whose people can't be read were left out", example);
      return undefined;
    }
    this.#countWhatStays(row, example, report);
    return {
      ...{ id, order, sentAt, senderId },
      to:
        "channelId" in to
          ? { channelId: to.channelId, topic: this.#threads.topicOf(rootId) }
          : { personIds: [...new Set([...to.personIds, senderId])] },
      text: textOfPost(post, this.#parts, report),
      client: "Mattermost",
      editedAt: timeIn(row, "edit_at") ?? null,
      ...{ movedAt: null, edits: [], unreadBy: [] },
      flags: usernamesIn(row, "flagged_by").map((name) => [name, pastFlags.starred]),
    };
  }

  #countWhatStays(row: Row, example: string, report: Report): void {
    if (flagOf(row, "is_pinned")) report.lose("pins of channels do not come", example);
    const props = isRow(row.props) ? row.props : {};
    const name = textOf(props, "override_username");
    if (name) report.lose("names that webhooks give themselves do not come", name);
  }
}

function hasReadableMembers({ root, to }: Post): boolean {
  if ("channelId" in to) return true;
  const given = Array.isArray(root.channel_members) ? root.channel_members : [];
  return given.length > 0 && given.every((name) => usernamesIn({ name: [name] }, "name").length > 0);
}

function wordsIn(row: Row): string {
  const [attachment] = rowsOf(isRow(row.props) ? row.props.attachments : undefined);
  const [file] = rowsOf(row.attachments);
  return (
    firstWords(textOf(row, "message") ?? "") ||
    firstWords((attachment && (textOf(attachment, "title") || textOf(attachment, "text"))) ?? "") ||
    ((file && textOf(file, "path")) ?? "").replace(/^.*\//, "")
  );
}

/** Why a message is none that comes. */
function reasonAgainst(row: Row): string | undefined {
  const type = textOf(row, "type") ?? "";
  if (type.startsWith("system_")) return "notices of members and changed channels do not come";
  if (type.startsWith("custom_")) return "messages of plugins do not come";
  return timeIn(row, "delete_at") === undefined ? undefined : "deleted messages do not come";
}
