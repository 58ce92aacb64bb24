/** The topics of channels, newest first: fetched when they are first asked for, and kept right by events. */
import { getChannelTopics } from "../api/channels.ts";
import { foldName } from "../api/fold-name.ts";
import { CallError } from "./call-error.ts";
import type { Connection } from "./connection.ts";
import type { QueuedEvent } from "./contract.ts";

export interface ChannelTopic {
  name: string;
  newestMessageId: number;
}

type Run = <T>(call: (connection: Connection) => Promise<T>) => Promise<T>;

export class ChannelTopics {
  readonly #byChannel = new Map<number, ChannelTopic[]>();
  readonly #fetching = new Set<number>();
  /** Those whose first request has ended, one way or the other. */
  readonly #asked = new Set<number>();
  readonly #run: Run;
  readonly #onChange: (channelId: number) => void;

  constructor(run: Run, onChange: (channelId: number) => void) {
    this.#run = run;
    this.#onChange = onChange;
  }

  /** What is known so far, newest first. */
  of(channelId: number): readonly ChannelTopic[] {
    return this.#byChannel.get(channelId) ?? [];
  }

  /** Whether there is anything to wait for. */
  wasAsked(channelId: number): boolean {
    return this.#asked.has(channelId);
  }

  /** Fetches the topics unless they are known. */
  async need(channelId: number): Promise<void> {
    if (this.#byChannel.has(channelId) || this.#fetching.has(channelId)) return;
    this.#fetching.add(channelId);
    try {
      const { topics } = await this.#run((connection) =>
        connection.call(getChannelTopics, { stream_id: channelId, allow_empty_topic_name: true }),
      );
      this.#byChannel.set(
        channelId,
        topics.map(({ name, max_id }) => ({ name, newestMessageId: max_id })),
      );
    } catch (error) {
      // The list is an addition to the screen, and is asked for again with the next visit.
      if (!(error instanceof CallError)) throw error;
    } finally {
      this.#fetching.delete(channelId);
      this.#asked.add(channelId);
      this.#onChange(channelId);
    }
  }

  handle(event: QueuedEvent): void {
    if (event.type === "message") {
      const { stream_id, subject, id } = event.message as { stream_id?: number; subject: string; id: number };
      if (stream_id !== undefined) this.#raise(stream_id, subject, id);
    } else if (event.type === "update_message" && event.orig_subject !== undefined) {
      // A move may have emptied a topic or joined two, which only the server knows.
      for (const id of [event.stream_id, event.new_stream_id]) this.#byChannel.delete(id as number);
    }
  }

  forget(): void {
    this.#byChannel.clear();
  }

  #raise(channelId: number, name: string, newestMessageId: number): void {
    const topics = this.#byChannel.get(channelId);
    if (!topics) return;
    const others = topics.filter((topic) => foldName(topic.name) !== foldName(name));
    this.#byChannel.set(channelId, [{ name, newestMessageId }, ...others]);
    this.#onChange(channelId);
  }
}
