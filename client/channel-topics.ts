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

interface MoveEvent {
  stream_id: number;
  new_stream_id?: number;
  orig_subject: string;
  subject?: string;
  propagate_mode: "change_one" | "change_later" | "change_all";
}

type Run = <T>(call: (connection: Connection) => Promise<T>) => Promise<T>;

export class ChannelTopics {
  readonly #byChannel = new Map<number, ChannelTopic[]>();
  readonly #fetching = new Set<number>();
  /** Those that are shown as they were until they are fetched again. */
  readonly #outdated = new Set<number>();
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

  /** Those of an earlier run, until there is a snapshot. */
  restore(channelId: number, topics: readonly ChannelTopic[]): void {
    this.#byChannel.set(channelId, [...topics]);
    this.#asked.add(channelId);
  }

  get known(): ReadonlyMap<number, readonly ChannelTopic[]> {
    return this.#byChannel;
  }

  /** Fetches the topics unless they are known. */
  async need(channelId: number): Promise<void> {
    const isKnown = this.#byChannel.has(channelId) && !this.#outdated.has(channelId);
    if (isKnown || this.#fetching.has(channelId)) return;
    this.#fetching.add(channelId);
    this.#outdated.delete(channelId);
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
      this.#outdated.add(channelId);
      if (this.#asked.has(channelId)) return;
    } finally {
      this.#fetching.delete(channelId);
      this.#asked.add(channelId);
    }
    this.#onChange(channelId);
  }

  handle(event: QueuedEvent): void {
    if (event.type === "message") {
      const { stream_id, subject, id } = event.message as { stream_id?: number; subject: string; id: number };
      if (stream_id !== undefined) this.#raise(stream_id, subject, id);
    } else if (event.type === "update_message" && event.orig_subject !== undefined) {
      this.#move(event as unknown as MoveEvent);
    }
  }

  /** After a new snapshot. What is known stays until it was fetched again, so that no list jumps. */
  expire(): void {
    for (const channelId of this.#byChannel.keys()) this.#outdated.add(channelId);
  }

  /** A topic that moved as a whole keeps its place. Only the server knows which others are empty now. */
  #move(event: MoveEvent): void {
    const { stream_id, new_stream_id = stream_id, orig_subject, subject = orig_subject } = event;
    const from = this.#byChannel.get(stream_id);
    const to = this.#byChannel.get(new_stream_id);
    const moved = from?.find(({ name }) => isSame(name, orig_subject));
    if (moved && event.propagate_mode === "change_all") {
      const others = (to ?? []).filter((topic) => topic === moved || !isSame(topic.name, subject));
      const renamed = others.map((topic) => (topic === moved ? { ...moved, name: subject } : topic));
      const isHere = stream_id === new_stream_id;
      this.#byChannel.set(stream_id, isHere ? renamed : (from ?? []).filter((topic) => topic !== moved));
      if (to && !isHere) this.#byChannel.set(new_stream_id, [{ ...moved, name: subject }, ...others]);
    }
    for (const id of new Set([stream_id, new_stream_id])) {
      if (!this.#byChannel.has(id)) continue;
      this.#outdated.add(id);
      this.#onChange(id);
    }
  }

  #raise(channelId: number, name: string, newestMessageId: number): void {
    const topics = this.#byChannel.get(channelId);
    if (!topics) return;
    const others = topics.filter((topic) => !isSame(topic.name, name));
    this.#byChannel.set(channelId, [{ name, newestMessageId }, ...others]);
    this.#onChange(channelId);
  }
}

function isSame(one: string, other: string): boolean {
  return foldName(one) === foldName(other);
}
