import type { EventOf } from "../../api/event.ts";
import type { flagAdded, flagRemoved } from "../../api/events/flags.ts";
import { type DeletionEvent, deletedIds } from "./messages.ts";
import { type Subject, sorted } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

type FlagEvent = EventOf<typeof flagAdded> | EventOf<typeof flagRemoved>;

/** The messages that the viewer has starred. */
export class Starred implements Subject {
  readonly ids: Set<number>;
  readonly handlers = {
    update_message_flags: (event: FlagEvent) => this.handleFlagEvent(event),
    delete_message: (event: DeletionEvent) => this.handleDeletionEvent(event),
  };

  readonly keys = ["starred_messages"];

  private constructor(ids: Iterable<number>) {
    this.ids = new Set(ids);
  }

  static fromSnapshot(snapshot: WireObject): Starred {
    return new Starred(section<number>(snapshot, "starred_messages"));
  }

  handleFlagEvent({ op, flag, messages }: FlagEvent): void {
    if (flag !== "starred") return;
    for (const id of messages) {
      if (op === "add") this.ids.add(id);
      else this.ids.delete(id);
    }
  }

  handleDeletionEvent(event: DeletionEvent): void {
    for (const id of deletedIds(event)) this.ids.delete(id);
  }

  comparable(): unknown {
    return sorted(this.ids);
  }
}
