/** Threads as topics. A thread has its topic in the whole archive, though its replies lie in many files. */
import { MAX_TOPIC_LENGTH } from "../../../api/limits.ts";
import { type Row, textOf } from "../archive/row.ts";
import { cutTo, FreeNames, plainLine } from "../core/names.ts";
import { literal } from "./mrkdwn.ts";

/** Where messages are that are in no thread. */
const MAIN_TOPIC = "Slack";
const TIME = /^\d{1,10}\.\d{6}$/;

interface Thread {
  channelId: string;
  ts: string;
  /** Those of the first message that is there, which is a reply if the archive lacks the parent. */
  words: string;
  hasParent: boolean;
  hasReplies: boolean;
}

/** A message in no thread has a key that no thread has. */
export function keyOfThread(channelId: string, row: Row, ts: string): string {
  const thread = textOf(row, "thread_ts");
  return `${channelId}:${thread !== undefined && TIME.test(thread) ? thread : ts}`;
}

export class SlackThreads {
  readonly #threads = new Map<string, Thread>();
  readonly #topics = new Map<string, string>();

  /** `words`: the first ones of the message, in Slack's syntax. */
  note(channelId: string, row: Row, { ts, words }: { ts: string; words: string }): void {
    const threadTs = textOf(row, "thread_ts");
    if (threadTs === undefined || !TIME.test(threadTs)) return;
    const key = keyOfThread(channelId, row, ts);
    const isParent = threadTs === ts;
    const thread = this.#threads.get(key);
    const plain = plainLine(literal(words)).slice(0, 2 * MAX_TOPIC_LENGTH);
    if (!thread) {
      const given = { channelId, ts: threadTs, words: plain };
      this.#threads.set(key, { ...given, hasParent: isParent, hasReplies: !isParent });
      return;
    }
    if (isParent && !thread.hasParent) thread.words = plain;
    thread.hasParent ||= isParent;
    thread.hasReplies ||= !isParent;
  }

  /** Names the topics, once all messages were noted. */
  end(): void {
    const names = new Map<string, FreeNames>();
    const threads = [...this.#threads].sort(([, a], [, b]) => (a.ts < b.ts ? -1 : 1));
    for (const [key, { channelId, ts, words, hasReplies }] of threads) {
      if (!hasReplies) continue;
      let taken = names.get(channelId);
      if (!taken) {
        taken = new FreeNames();
        taken.take(MAIN_TOPIC, MAX_TOPIC_LENGTH);
        names.set(channelId, taken);
      }
      const day = new Date(Number(ts) * 1000).toISOString().slice(0, 10);
      this.#topics.set(
        key,
        taken.take(cutTo(`${day} ${words || "Thread"}`, MAX_TOPIC_LENGTH), MAX_TOPIC_LENGTH),
      );
    }
    this.#threads.clear();
  }

  topicOf(key: string): string {
    return this.#topics.get(key) ?? MAIN_TOPIC;
  }
}
