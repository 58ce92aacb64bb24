import type { EventOf } from "../../api/event.ts";
import type { messageSent } from "../../api/events/messages.ts";
import { addresseesOf, type DeletionEvent, deletedIds } from "./messages.ts";
import { invariant, type Subject, sorted } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

export interface Conversation {
  /** The other people, ascending; empty for messages to the viewer alone. */
  userIds: readonly number[];
  newestMessageId: number;
  /** The newest message was deleted. An older message is the newest now, if there is one. */
  isNewestDeleted?: boolean;
}

interface ConversationRecord {
  user_ids: number[];
  max_message_id: number;
}

/** The recent direct-message conversations. */
export class Conversations implements Subject {
  readonly byPeople = new Map<string, Conversation>();
  readonly #viewerId: number;
  readonly handlers = {
    message: (event: EventOf<typeof messageSent>) => this.handleMessageEvent(event),
    delete_message: (event: DeletionEvent) => this.handleDeletionEvent(event),
  };

  readonly keys = ["recent_private_conversations"];

  private constructor(viewerId: number) {
    this.#viewerId = viewerId;
  }

  static fromSnapshot(snapshot: WireObject, viewerId: number): Conversations {
    const conversations = new Conversations(viewerId);
    for (const record of section<ConversationRecord>(snapshot, "recent_private_conversations")) {
      conversations.#put(record.user_ids, record.max_message_id);
    }
    return conversations;
  }

  /** By newest message, newest first. */
  newestFirst(): Conversation[] {
    return [...this.byPeople.values()].sort((a, b) => b.newestMessageId - a.newestMessageId);
  }

  handleMessageEvent({ message }: EventOf<typeof messageSent>): void {
    const to = addresseesOf(message);
    if (to.kind === "direct") this.#put(to.userIds, message.id);
  }

  /**
   * No event says which message is the newest now. `newestMessageId` stays, and still orders the
   * conversation.
   */
  handleDeletionEvent(event: DeletionEvent): void {
    for (const id of deletedIds(event)) {
      for (const conversation of this.byPeople.values()) {
        if (conversation.newestMessageId === id) conversation.isNewestDeleted = true;
      }
    }
  }

  comparable(): unknown {
    return this.newestFirst();
  }

  #put(people: readonly number[], messageId: number): void {
    const userIds = sorted(people.filter((id) => id !== this.#viewerId));
    const known = this.byPeople.get(userIds.join());
    const newestMessageId = Math.max(known?.newestMessageId ?? 0, messageId);
    this.byPeople.set(userIds.join(), { userIds, newestMessageId });
  }
}

export function checkInvariants(conversations: Conversations): void {
  const newest = conversations.newestFirst().map(({ newestMessageId }) => newestMessageId);
  invariant(new Set(newest).size === newest.length, "one message is the newest of two conversations");
}
