/** Reads all messages of a source, and keeps those that can come, as they can come. */

import { ApiError } from "../../../api/errors.ts";
import { isVisible } from "../../../api/hidden-characters.ts";
import { MAX_MESSAGE_LENGTH } from "../../../api/limits.ts";
import { parseTopicName } from "../../channels/recipients/topic-name.ts";
import type { Plan } from "./plan.ts";
import type { ImportSource, SourceEdit, SourceMessage } from "./records.ts";
import type { Report } from "./report.ts";
import { splitText } from "./split-text.ts";
import { Spool } from "./spool.ts";

/** Ids in a text may be longer here. */
const ROOM = 200;
const MAX_TEXT = MAX_MESSAGE_LENGTH - ROOM;
const MAX_CLIENT = 40;
/** No more people than in a conversation that somebody begins here. */
const MAX_PEOPLE = 200;

export async function checkMessages(
  source: ImportSource,
  plan: Plan,
  folder: string,
  {
    report,
    signal,
    onRead,
  }: { report: Report; signal: AbortSignal | undefined; onRead(count: number): void },
): Promise<Spool> {
  const checker = new Checker(source, plan, report);
  const spool = new Spool(folder);
  let count = 0;
  for await (const message of source.messages(report)) {
    if (++count % 1000 === 0) {
      signal?.throwIfAborted();
      onRead(count);
    }
    const parts = checker.check(message);
    for (const part of parts) {
      if (!(await spool.add(part)))
        report.lose("messages whose id comes twice were left out", `message ${part.id}`);
      else if (part.id === message.id) report.taken("messages");
    }
  }
  await spool.end();
  return spool;
}

class Checker {
  readonly #report: Report;
  readonly #people: ReadonlySet<string>;
  readonly #channels: ReadonlySet<string>;

  constructor(source: ImportSource, plan: Plan, report: Report) {
    this.#report = report;
    this.#people = new Set([...plan.people.map(({ id }) => id), ...plan.sameAs.keys(), ...source.systemIds]);
    this.#channels = new Set(plan.channels.map(({ id }) => id));
  }

  /** The message, or several in place of one that is too long, or none. */
  check(message: SourceMessage): SourceMessage[] {
    const example = `message ${message.id}`;
    const { to, senderId } = message;
    if (!this.#people.has(senderId)) {
      this.#report.lose("messages of people who are not in the archive were left out", example);
      return [];
    }
    if ("channelId" in to) {
      if (!this.#channels.has(to.channelId)) {
        this.#report.lose(
          "messages to channels or conversations that the archive lacks were left out",
          example,
        );
        return [];
      }
      to.topic = this.#topic(to.topic, example);
    } else if (!to.personIds.every((id) => this.#people.has(id))) {
      // Without one of them it would be another conversation, which others may read.
      this.#report.lose("direct messages with people who are not in the archive were left out", example);
      return [];
    } else if (to.personIds.length > MAX_PEOPLE) {
      this.#report.lose(`direct messages with more than ${MAX_PEOPLE} people were left out`, example);
      return [];
    }
    const text = message.text.replace(/^\n+/, "").trimEnd();
    if (!isVisible(text)) {
      this.#report.lose("messages without a text were left out", example);
      return [];
    }
    const checked: SourceMessage = {
      ...message,
      text,
      client: [...message.client].slice(0, MAX_CLIENT).join("") || "import",
      edits: this.#edits(message.edits),
      flags: message.flags.filter(([id]) => this.#people.has(id)),
    };
    if (text.length <= MAX_TEXT) return [checked];
    this.#report.lose("messages that are too long became several", example);
    return splitText(text, MAX_TEXT).map((part, index) =>
      index === 0
        ? { ...checked, text: part }
        : {
            ...checked,
            id: `${message.id}+${index}`,
            text: part,
            edits: [],
            flags: [],
            unreadBy: message.unreadBy,
          },
    );
  }

  #topic(name: string, example: string): string {
    try {
      const topic = parseTopicName(name);
      if (topic.length < name.trim().length) this.#report.lose("names of topics were cut", name);
      return topic;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#report.lose("names of topics lost characters that are not allowed", example);
      return parseTopicName(name.replace(/[^\p{L}\p{N}\p{P}\p{S}\p{Zs}]/gu, ""));
    }
  }

  #edits(edits: readonly SourceEdit[]): SourceEdit[] {
    const known = edits.findLastIndex(
      ({ previousChannelId }) => previousChannelId !== null && !this.#channels.has(previousChannelId),
    );
    if (known >= 0) {
      this.#report.lose("edit histories from before a move out of a channel that is not there were left out");
    }
    return edits.slice(known + 1).map((edit) => ({
      ...edit,
      previousText: edit.previousText === null ? null : cutText(edit.previousText),
      previousTopic: edit.previousTopic === null ? null : this.#topic(edit.previousTopic, "an edit"),
      topic: edit.topic === null ? null : this.#topic(edit.topic, "an edit"),
    }));
  }
}

function cutText(text: string): string {
  return text.length <= MAX_TEXT ? text : (splitText(text, MAX_TEXT)[0] as string);
}
