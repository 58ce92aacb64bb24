/** Threads as topics. A thread has its topic in the whole archive, though its replies lie in many files. */
import { type Row, textOf } from "../archive/row.ts";
import { ThreadTopics, wordsOf } from "../core/thread-topics.ts";
import { literal } from "./mrkdwn.ts";

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
  readonly #topics = new ThreadTopics("Slack");

  /** `words`: the first ones of the message, in Slack's syntax. */
  note(channelId: string, row: Row, { ts, words }: { ts: string; words: string }): void {
    const threadTs = textOf(row, "thread_ts");
    if (threadTs === undefined || !TIME.test(threadTs)) return;
    const key = keyOfThread(channelId, row, ts);
    const isParent = threadTs === ts;
    const thread = this.#threads.get(key);
    const plain = wordsOf(literal(words));
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
    for (const [key, { channelId, ts, words, hasReplies }] of this.#threads) {
      if (hasReplies) this.#topics.add({ key, channelId, at: Number(ts) * 1000, words });
    }
    this.#threads.clear();
    this.#topics.end();
  }

  topicOf(key: string): string {
    return this.#topics.topicOf(key);
  }
}
