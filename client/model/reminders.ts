import type { EventOf } from "../../api/event.ts";
import type { reminderRemoved, remindersAdded } from "../../api/events/reminders.ts";
import { plainMap, type Subject } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

type Record = EventOf<typeof remindersAdded>["reminders"][number];

type ReminderEvent = EventOf<typeof remindersAdded> | EventOf<typeof reminderRemoved>;

export interface Reminder {
  id: number;
  messageId: number;
  content: string;
  renderedContent: string;
  /** UNIX seconds. */
  deliverAt: number;
}

/** The viewer's reminders that are to come. */
export class Reminders implements Subject {
  readonly byId = new Map<number, Reminder>();
  readonly handlers = {
    reminders: (event: ReminderEvent) => this.handleEvent(event),
  };

  readonly keys = ["reminders"];

  static fromSnapshot(snapshot: WireObject): Reminders {
    const reminders = new Reminders();
    for (const record of section<Record>(snapshot, "reminders")) reminders.#put(record);
    return reminders;
  }

  handleEvent(event: ReminderEvent): void {
    if (event.op === "add") for (const record of event.reminders) this.#put(record);
    else this.byId.delete(event.reminder_id);
  }

  /** The next one first. */
  list(): Reminder[] {
    return [...this.byId.values()].sort((a, b) => a.deliverAt - b.deliverAt || a.id - b.id);
  }

  comparable(): unknown {
    return plainMap(this.byId, (reminder) => reminder);
  }

  #put(record: Record): void {
    this.byId.set(record.reminder_id, {
      id: record.reminder_id,
      messageId: record.reminder_target_message_id,
      content: record.content,
      renderedContent: record.rendered_content,
      deliverAt: record.scheduled_delivery_timestamp,
    });
  }
}
