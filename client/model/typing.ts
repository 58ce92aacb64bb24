import type { EventOf } from "../../api/event.ts";
import type { messageSent } from "../../api/events/messages.ts";
import type {
  channelTypingStarted,
  channelTypingStopped,
  directTypingStarted,
  directTypingStopped,
  messageEditingStarted,
  messageEditingStopped,
} from "../../api/events/typing.ts";
import { foldName } from "../../api/fold-name.ts";
import { addresseesOf, type Message, type UpdateEvent } from "./messages.ts";
import { invariant, type Subject, sorted } from "./subject.ts";
import type { WireObject } from "./wire.ts";

type TypingEvent =
  | EventOf<typeof directTypingStarted>
  | EventOf<typeof directTypingStopped>
  | EventOf<typeof channelTypingStarted>
  | EventOf<typeof channelTypingStopped>;

type EditTypingEvent = EventOf<typeof messageEditingStarted> | EventOf<typeof messageEditingStopped>;

/** Where a user is typing: the address of a message, or the message being edited. */
type Place = Message["to"] | { kind: "edit"; messageId: number };

const DEFAULT_EXPIRY_MS = 45_000;

/** Who is typing where. No event says that a user has gone away, so each entry expires. */
export class Typing implements Subject {
  readonly #expiresAt = new Map<string, Map<number, number>>();
  readonly #changed = new Set<string>();
  readonly #expiryMs: number;
  readonly #now: () => number;
  readonly handlers = {
    typing: (event: TypingEvent) => this.handleTypingEvent(event),
    typing_edit_message: (event: EditTypingEvent) => this.handleEditTypingEvent(event),
    message: (event: EventOf<typeof messageSent>) => this.handleMessageEvent(event),
    update_message: (event: UpdateEvent) => this.handleUpdateEvent(event),
  };

  /** How long an entry is valid is one of the server's limits. */
  readonly keys = [];

  private constructor(expiryMs: number, now: () => number) {
    this.#expiryMs = expiryMs;
    this.#now = now;
  }

  /** `now` gives the time in milliseconds. */
  static fromSnapshot(snapshot: WireObject, now: () => number): Typing {
    const expiryMs = snapshot.server_typing_started_expiry_period_milliseconds as number | undefined;
    return new Typing(expiryMs ?? DEFAULT_EXPIRY_MS, now);
  }

  /** The users who are typing there, by ID. */
  in(place: Place): number[] {
    const people = this.#expiresAt.get(keyOf(place)) ?? new Map<number, number>();
    return sorted([...people].filter(([, expiresAt]) => expiresAt > this.#now()).map(([userId]) => userId));
  }

  /** When the next entry expires, in milliseconds; undefined if nobody is typing. */
  get nextExpiry(): number | undefined {
    const times = [...this.#expiresAt.values()].flatMap((people) => [...people.values()]);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Removes the expired entries. */
  expire(): void {
    for (const [key, people] of this.#expiresAt) {
      for (const [userId, expiresAt] of people) {
        if (expiresAt > this.#now()) continue;
        people.delete(userId);
        this.#changed.add(key);
      }
      if (people.size === 0) this.#expiresAt.delete(key);
    }
  }

  takeChanged(): readonly string[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  handleTypingEvent(event: TypingEvent): void {
    this.expire();
    const place: Place =
      event.message_type === "stream"
        ? { kind: "channel", channelId: event.stream_id, topic: event.topic }
        : { kind: "direct", userIds: event.recipients.map(({ user_id }) => user_id) };
    if (event.op === "stop") this.#stop(place, event.sender.user_id);
    else this.#start(place, event.sender.user_id);
  }

  handleEditTypingEvent({ op, message_id, sender_id }: EditTypingEvent): void {
    this.expire();
    const place: Place = { kind: "edit", messageId: message_id };
    if (op === "stop") this.#stop(place, sender_id);
    else this.#start(place, sender_id);
  }

  /** A user who has saved an edit is no longer editing. */
  handleUpdateEvent({ content, message_id, user_id }: UpdateEvent): void {
    if (content !== undefined && user_id !== null) {
      this.#stop({ kind: "edit", messageId: message_id }, user_id);
    }
  }

  /** A user who has sent a message is no longer typing it. */
  handleMessageEvent({ message }: EventOf<typeof messageSent>): void {
    this.#stop(addresseesOf(message), message.sender_id);
  }

  /** A snapshot does not contain who is typing. */
  comparable(): unknown {
    return null;
  }

  #start(place: Place, userId: number): void {
    const key = keyOf(place);
    const people = this.#expiresAt.get(key) ?? new Map<number, number>();
    people.set(userId, this.#now() + this.#expiryMs);
    this.#changed.add(key);
    this.#expiresAt.set(key, people);
  }

  #stop(place: Place, userId: number): void {
    const key = keyOf(place);
    const people = this.#expiresAt.get(key);
    if (!people?.delete(userId)) return;
    this.#changed.add(key);
    if (people.size === 0) this.#expiresAt.delete(key);
  }
}

function keyOf(place: Place): string {
  if (place.kind === "edit") return `edit ${place.messageId}`;
  return place.kind === "channel"
    ? `channel ${place.channelId} ${foldName(place.topic)}`
    : `direct ${sorted(place.userIds).join()}`;
}

export function checkInvariants(typing: Typing): void {
  const next = typing.nextExpiry;
  invariant(next === undefined || Number.isFinite(next), "somebody writes for ever");
}
