/** Names of topics for the threads of a source that has no topics. */
import { MAX_TOPIC_LENGTH } from "../../../api/limits.ts";
import { cutTo, FreeNames, plainLine } from "./names.ts";

interface Thread {
  key: string;
  channelId: string;
  /** Milliseconds. */
  at: number;
  words: string;
}

/** As many characters of a message as a name may be made of. */
export function wordsOf(text: string): string {
  return plainLine(text).slice(0, 2 * MAX_TOPIC_LENGTH);
}

export class ThreadTopics {
  readonly #mainTopic: string;
  #threads: Thread[] = [];
  readonly #topics = new Map<string, string>();

  /** `mainTopic`: where messages are that are in no thread. */
  constructor(mainTopic: string) {
    this.#mainTopic = mainTopic;
  }

  /** A thread that has replies. `words`: by `wordsOf`. */
  add(thread: Thread): void {
    this.#threads.push(thread);
  }

  /** Gives each thread its date and its first words, and a number where a channel has that name already. */
  end(): void {
    const names = new Map<string, FreeNames>();
    this.#threads.sort((a, b) => a.at - b.at);
    for (const { key, channelId, at, words } of this.#threads) {
      let taken = names.get(channelId);
      if (!taken) {
        taken = new FreeNames();
        taken.take(this.#mainTopic, MAX_TOPIC_LENGTH);
        names.set(channelId, taken);
      }
      const day = new Date(at).toISOString().slice(0, 10);
      const name = cutTo(`${day} ${words || "Thread"}`, MAX_TOPIC_LENGTH);
      this.#topics.set(key, taken.take(name, MAX_TOPIC_LENGTH));
    }
    this.#threads = [];
  }

  topicOf(key: string): string {
    return this.#topics.get(key) ?? this.#mainTopic;
  }
}
