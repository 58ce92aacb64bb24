import type { EventOf } from "../../api/event.ts";
import type {
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  scheduledMessageUpdated,
} from "../../api/events/scheduled-messages.ts";
import { plainMap, type Subject } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

type Record = EventOf<typeof scheduledMessageUpdated>["scheduled_message"];

type ScheduledMessageEvent =
  | EventOf<typeof scheduledMessagesAdded>
  | EventOf<typeof scheduledMessageUpdated>
  | EventOf<typeof scheduledMessageRemoved>;

export interface ScheduledMessage {
  id: number;
  to:
    | { kind: "channel"; channelId: number; topic: string }
    /** The people without the viewer; a message to oneself has the viewer's ID. */
    | { kind: "direct"; userIds: readonly number[] };
  content: string;
  renderedContent: string;
  /** UNIX seconds. */
  deliverAt: number;
  isFailed: boolean;
}

/** The viewer's messages that are yet to be sent. */
export class ScheduledMessages implements Subject {
  readonly byId = new Map<number, ScheduledMessage>();
  readonly handlers = {
    scheduled_messages: (event: ScheduledMessageEvent) => this.handleEvent(event),
  };

  readonly keys = ["scheduled_messages"];

  static fromSnapshot(snapshot: WireObject): ScheduledMessages {
    const messages = new ScheduledMessages();
    for (const record of section<Record>(snapshot, "scheduled_messages")) messages.#put(record);
    return messages;
  }

  handleEvent(event: ScheduledMessageEvent): void {
    if (event.op === "add") for (const record of event.scheduled_messages) this.#put(record);
    else if (event.op === "update") this.#put(event.scheduled_message);
    else this.byId.delete(event.scheduled_message_id);
  }

  /** The next one first. */
  list(): ScheduledMessage[] {
    return [...this.byId.values()].sort((a, b) => a.deliverAt - b.deliverAt || a.id - b.id);
  }

  comparable(): unknown {
    return plainMap(this.byId, (message) => message);
  }

  #put(record: Record): void {
    this.byId.set(record.scheduled_message_id, {
      id: record.scheduled_message_id,
      to:
        typeof record.to === "number"
          ? { kind: "channel", channelId: record.to, topic: record.topic ?? "" }
          : { kind: "direct", userIds: record.to },
      content: record.content,
      renderedContent: record.rendered_content,
      deliverAt: record.scheduled_delivery_timestamp,
      isFailed: record.failed,
    });
  }
}
