/** The topics of channels, newest first: fetched when they are first asked for, and kept right by events. */
import { getChannelTopics } from "../api/channels/channels.ts";
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
  readonly #underWay = new Map<number, Promise<boolean>>();
  /** The events that came while a channel's list was on its way. The list may lack them. */
  readonly #since = new Map<number, QueuedEvent[]>();
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

  /** Shows the topics of an earlier run, until there is a snapshot. */
  restore(channelId: number, topics: readonly ChannelTopic[]): void {
    this.#byChannel.set(channelId, [...topics]);
    this.#asked.add(channelId);
  }

  get known(): ReadonlyMap<number, readonly ChannelTopic[]> {
    return this.#byChannel;
  }

  /** Fetches the topics unless they are known. Gives whether they are known now. */
  async need(channelId: number): Promise<boolean> {
    const isKnown = this.#byChannel.has(channelId) && !this.#outdated.has(channelId);
    const underWay = this.#underWay.get(channelId);
    if (isKnown || underWay) return isKnown || (await underWay) === true;
    const asked = this.#fetch(channelId);
    this.#underWay.set(channelId, asked);
    return asked;
  }

  async #fetch(channelId: number): Promise<boolean> {
    const since: QueuedEvent[] = [];
    this.#since.set(channelId, since);
    this.#outdated.delete(channelId);
    let isKnown = false;
    try {
      const { topics } = await this.#run((connection) =>
        connection.call(getChannelTopics, { stream_id: channelId, allow_empty_topic_name: true }),
      );
      this.#byChannel.set(
        channelId,
        topics.map(({ name, max_id }) => ({ name, newestMessageId: max_id })),
      );
      for (const event of since) this.#handleLate(channelId, event);
      isKnown = true;
    } catch (error) {
      // The list is an addition to the screen, and is asked for again with the next visit.
      if (!(error instanceof CallError)) throw error;
      this.#outdated.add(channelId);
      if (this.#asked.has(channelId)) return false;
    } finally {
      this.#underWay.delete(channelId);
      this.#since.delete(channelId);
      this.#asked.add(channelId);
    }
    this.#onChange(channelId);
    return isKnown;
  }

  handle(event: QueuedEvent): void {
    for (const [channelId, since] of this.#since)
      if (channelsOf(event).includes(channelId)) since.push(event);
    if (event.type === "message") this.#raise(event);
    else if (event.type === "update_message" && event.orig_subject !== undefined)
      this.#move(event as unknown as MoveEvent);
    // Only the server knows which topics are empty now, and which message is the newest.
    else if (event.type === "delete_message") for (const id of channelsOf(event)) this.#outdate(id);
    else if (event.type === "stream" && event.op === "delete")
      for (const id of event.stream_ids as number[]) this.#forget(id);
  }

  /** After a new snapshot. What is known stays until it was fetched again, so that no list jumps. */
  expire(): void {
    for (const channelId of [...this.#byChannel.keys(), ...this.#underWay.keys()])
      this.#outdated.add(channelId);
  }

  /** An event that came while the list was on its way, which may know of it or not. */
  #handleLate(channelId: number, event: QueuedEvent): void {
    if (event.type === "message") this.#raise(event);
    else this.#outdated.add(channelId);
  }

  #outdate(channelId: number): void {
    if (!this.#byChannel.has(channelId)) return;
    this.#outdated.add(channelId);
    this.#onChange(channelId);
  }

  #forget(channelId: number): void {
    this.#asked.delete(channelId);
    if (this.#byChannel.delete(channelId)) this.#onChange(channelId);
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
    for (const id of new Set([stream_id, new_stream_id])) this.#outdate(id);
  }

  #raise(event: QueuedEvent): void {
    const { stream_id, subject, id } = event.message as { stream_id?: number; subject: string; id: number };
    const topics = stream_id === undefined ? undefined : this.#byChannel.get(stream_id);
    if (!topics || topics.some(({ name, newestMessageId }) => isSame(name, subject) && newestMessageId >= id))
      return;
    const others = topics.filter((topic) => !isSame(topic.name, subject));
    const after = others.filter(({ newestMessageId }) => newestMessageId < id);
    const before = others.filter(({ newestMessageId }) => newestMessageId >= id);
    this.#byChannel.set(stream_id as number, [...before, { name: subject, newestMessageId: id }, ...after]);
    this.#onChange(stream_id as number);
  }
}

/** The channels whose topics an event may change. */
function channelsOf(event: QueuedEvent): number[] {
  const { stream_id } = (event.type === "message" ? event.message : event) as { stream_id?: number };
  const { new_stream_id } = event as { new_stream_id?: number };
  const isOfTopics = ["message", "update_message", "delete_message"].includes(event.type);
  return isOfTopics ? [stream_id, new_stream_id].filter((id) => id !== undefined) : [];
}

function isSame(one: string, other: string): boolean {
  return foldName(one) === foldName(other);
}
