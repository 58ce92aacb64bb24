import type { Position, UserId } from "../../../api/ids.ts";
import type { Delivery } from "../log/log-entry.ts";

/** What a client asked for at `/register` (spec E20). It is in the queue's row, so any node can serve it. */
export interface QueueOptions {
  /** null: all types. */
  eventTypes: readonly string[] | null;
  narrow: readonly (readonly [string, string])[];
  allPublicStreams: boolean;
  applyMarkdown: boolean;
  clientGravatar: boolean;
  slimPresence: boolean;
  includeSubscribers: "true" | "false" | "partial";
  capabilities: Readonly<Record<string, boolean>>;
  /**
   * The session that registered the queue; 0: an API key did. Absent in queues from before this was kept,
   * which get no more than those of a session.
   */
  sessionId?: number | undefined;
}

/** Answers a held poll. Called once, with the events to send. */
export type Answer = (deliveries: readonly Delivery[]) => void;

/**
 * A client that stops polling costs at most this many pointers, and keeps at most this much text in memory.
 * Past either limit the queue turns cold, and its next poll reads from the log. An answer is limited in the
 * same way.
 */
export const MAX_PENDING = 2000;
export const MAX_PENDING_CHARS = 4 * 1024 * 1024;

/**
 * One client's position in the log, in this node's memory. Deliveries stay pending until a later poll
 * acknowledges them.
 */
export class Queue {
  readonly id: string;
  readonly userId: UserId;
  readonly options: QueueOptions;
  readonly lifespanSeconds: number;
  /** The position that `/register` returned. A `last_event_id` of -1 stands for it. */
  startedAt: Position;
  readonly #eventTypes: ReadonlySet<string> | null;
  /** Acknowledged up to here. */
  cursor: Position;
  /** The newest id that was sent to the client, heartbeats included. */
  lastSent: Position;
  pending: Delivery[] = [];
  /** The length of the texts in `pending`, as far as `push` and `acknowledge` know. */
  #pendingChars = 0;
  /** Cold: pending events are not in memory, and must be read from the log. */
  isCold: boolean;
  /** Whether the last poll, as far as this node knows, came to this node. */
  isOurs: boolean;
  held: Answer | undefined;
  /** Whether the dispatcher is about to answer the held poll. */
  isReady = false;
  /** Milliseconds since the epoch: when the held poll is due a heartbeat. */
  heartbeatAt = 0;
  isOnWheel = false;
  lastSeenAt: number;
  /** Cursor or last-seen time differ from the row's. */
  isDirty = false;
  /** Set by modules that keep variants per queue: see `EventSerializer`. */
  variant = 0;

  constructor(row: {
    id: string;
    userId: UserId;
    options: QueueOptions;
    lifespanSeconds: number;
    startedAt: Position;
    cursor: Position;
    isCold: boolean;
    isOurs: boolean;
    lastSeenAt: number;
  }) {
    this.id = row.id;
    this.userId = row.userId;
    this.options = row.options;
    this.lifespanSeconds = row.lifespanSeconds;
    this.startedAt = row.startedAt;
    this.cursor = row.cursor;
    this.lastSent = row.cursor;
    this.isCold = row.isCold;
    this.isOurs = row.isOurs;
    this.lastSeenAt = row.lastSeenAt;
    this.#eventTypes = row.options.eventTypes && new Set(row.options.eventTypes);
  }

  /** Sets the position of the snapshot that the client starts from. Earlier events are in the snapshot. */
  startAt(position: Position): void {
    this.startedAt = position;
    this.lastSent = position;
    this.acknowledge(position);
    this.cursor = position;
  }

  wants(eventType: string): boolean {
    return this.#eventTypes === null || this.#eventTypes.has(eventType);
  }

  can(capability: string): boolean {
    return this.options.capabilities[capability] === true;
  }

  /** Whether its events may have what is not shown in a session. Then no session polls it. */
  get isOfApiKey(): boolean {
    return this.options.sessionId === 0;
  }

  push(delivery: Delivery): void {
    if (this.isCold) return;
    if (this.pending.length === 0) this.#pendingChars = 0;
    this.#pendingChars += delivery.json.length;
    if (isFull(this.pending.length, this.#pendingChars)) {
      this.pending = [];
      this.isCold = true;
      return;
    }
    this.pending.push(delivery);
  }

  /** Drops what the client acknowledged: every delivery up to `position`. */
  acknowledge(position: Position): void {
    if (position <= this.cursor) return;
    this.cursor = position;
    let count = 0;
    while (count < this.pending.length) {
      const delivery = this.pending[count] as Delivery;
      if (delivery.position > position) break;
      this.#pendingChars -= delivery.json.length;
      count++;
    }
    if (count === this.pending.length) this.pending = [];
    else if (count > 0) this.pending.splice(0, count);
  }

  /** Another node serves the queue now. A held poll ends without events, and the queue collects no more. */
  yield(): void {
    this.isOurs = false;
    this.isCold = true;
    this.pending = [];
    this.release();
  }

  /** Answers a held poll with the pending deliveries. */
  release(): void {
    const answer = this.held;
    if (!answer) return;
    this.held = undefined;
    const last = this.pending[this.pending.length - 1];
    if (last) this.lastSent = last.position;
    answer(this.pending);
  }
}

/** Whether a queue with `count` deliveries is too full for one more, with which it would have `chars`. */
export function isFull(count: number, chars: number): boolean {
  // One event must get through, however long it is.
  return count >= MAX_PENDING || (count > 0 && chars > MAX_PENDING_CHARS);
}
