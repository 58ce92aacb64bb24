import type { EventOf } from "../../api/event.ts";
import type { attachmentAdded, attachmentRemoved, attachmentUpdated } from "../../api/events/uploads.ts";
import type { Subject } from "./subject.ts";

type AttachmentRecord = EventOf<typeof attachmentAdded>["attachment"];
type AttachmentEvent =
  | EventOf<typeof attachmentAdded>
  | EventOf<typeof attachmentUpdated>
  | EventOf<typeof attachmentRemoved>;

/**
 * The viewer's uploads. The snapshot has none of them. Until the client passes on what it fetched, only
 * uploads that an event named are known.
 */
export class Uploads implements Subject {
  readonly byId = new Map<number, AttachmentRecord>();
  /** The size of all files of the organization, in bytes. undefined: not known yet. */
  spaceUsed: number | undefined;
  /** How many events have come. A reply that was asked for before the last of them may be too old. */
  changes = 0;
  readonly keys = [];
  readonly handlers = {
    attachment: (event: AttachmentEvent) => {
      this.changes++;
      this.spaceUsed = event.upload_space_used;
      if (event.op === "remove") this.byId.delete(event.attachment.id);
      else this.byId.set(event.attachment.id, event.attachment);
    },
  };

  /** Takes the reply of `GET /attachments`. */
  fetched(reply: { attachments: readonly AttachmentRecord[]; upload_space_used: number }): void {
    this.byId.clear();
    for (const record of reply.attachments) this.byId.set(record.id, record);
    this.spaceUsed = reply.upload_space_used;
  }

  /** A snapshot says nothing of uploads. */
  comparable(): unknown {
    return {};
  }
}
