/**
 * As `links.ts`, for messages that share a transaction with other changes. Their links are written and
 * announced by the statement that writes the messages.
 */
import { attachmentUpdated } from "../../../api/events/uploads.ts";
import type { MessageId, OrganizationId, Position } from "../../../api/ids.ts";
import { MAX_MESSAGES_OF_ATTACHMENT } from "../../../api/limits.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { payloadOf } from "../../platform/log/event-list.ts";
import type { LockedRow } from "../../platform/log/grouped-change.ts";
import { type Audience, type LogEntry, logEntry, toUsers } from "../../platform/log/log-entry.ts";
import {
  type BatchAnnouncement,
  type BatchLink,
  type LockedUploadRow,
  lockedUploads,
  tablesOfLinks,
  uploadRows,
} from "./grouped-store.ts";
import { presentAttachment } from "./present.ts";
import { toAttachment } from "./store.ts";
import type { Attachment } from "./upload.ts";

/** The locks of changes that link uploads, each once. */
export function uploadLocks<R>(idsOf: (request: R) => readonly number[]) {
  const of = (request: R): LockedRow[] => idsOf(request).map((id) => ({ id, mode: "" }));
  return { rows: uploadRows, of };
}

/** A row with what `claimedUploads` joins to it. */
export type ClaimedUpload = LockedUploadRow;

/**
 * Joins the upload with the id `asked.upload_id`, as `upload`, and what all uploads take, as `space`. Their
 * columns are those of a `ClaimedUpload`. Nothing: the upload is gone.
 */
export function claimedUploads(organizationId: OrganizationId): Sql {
  return lockedUploads(organizationId, MAX_MESSAGES_OF_ATTACHMENT);
}

/** The locked uploads that a message of a batch links. */
export interface LinkingMessage {
  attachments: readonly Attachment[];
  spaceUsed: number;
}

interface Announced {
  /** New messages have the negative numbers of their places in the batch, counted from 1, as ids. */
  attachment: Attachment;
  spaceUsed: number;
  audience: Audience;
}

export function linkingMessage(uploads: readonly ClaimedUpload[]): LinkingMessage {
  return { attachments: uploads.map(toAttachment), spaceUsed: uploads[0]?.spaceUsed ?? 0 };
}

/** What a batch of messages links, in the order of the messages. */
export class BatchLinks {
  readonly links: BatchLink[] = [];
  readonly announcements: BatchAnnouncement[];
  readonly messageCount: number;
  readonly #announced: Announced[] = [];

  constructor(messages: readonly LinkingMessage[], sentAt: Date) {
    this.messageCount = messages.length;
    // A later message of the batch links what the earlier ones have linked already.
    const latest = new Map<number, Attachment>();
    messages.forEach(({ attachments, spaceUsed }, index) => {
      const ordinal = index + 1;
      for (const each of attachments) {
        const before = latest.get(each.id) ?? each;
        const added = { messageId: -ordinal as MessageId, sentAt };
        const all = [...before.messages, added].slice(-MAX_MESSAGES_OF_ATTACHMENT);
        const attachment = { ...before, messages: all };
        latest.set(each.id, attachment);
        this.links.push({ ordinal, uploadId: each.id });
        this.#announced.push({ attachment, spaceUsed, audience: toUsers([each.ownerId]) });
      }
    });
    this.announcements = this.#announced.map((announced) => {
      const payload = JSON.stringify(payloadFor(announced));
      return { type: attachmentUpdated.type, payload, audience: JSON.stringify(announced.audience) };
    });
  }

  /** To be called after the commit. The first message has the position after `base`. */
  entriesFrom(base: Position): LogEntry[] {
    return this.#announced.map((announced, index) => {
      const position = (base + this.messageCount + index + 1) as Position;
      return logEntry(position, payloadFor(withIds(announced, base)), announced.audience);
    });
  }
}

/**
 * For `compiled`: tables of a `with` that write and announce what a batch of messages links. The message with
 * the number `ordinal` has the id `log.base + ordinal`, and the announcements come after the messages.
 */
export function linkTables<I>(
  organizationId: (batch: I) => OrganizationId,
  sentAt: (batch: I) => Date,
  linked: (batch: I) => BatchLinks,
): Sql {
  return tablesOfLinks<I>({
    organizationId,
    sentAt,
    links: (batch) => linked(batch).links,
    messageCount: (batch) => linked(batch).messageCount,
    announcements: (batch) => linked(batch).announcements,
  });
}

function withIds({ attachment, ...announced }: Announced, base: Position): Announced {
  const messages = attachment.messages.map(({ messageId, sentAt }) => ({
    messageId: (messageId < 0 ? base - messageId : messageId) as MessageId,
    sentAt,
  }));
  return { ...announced, attachment: { ...attachment, messages } };
}

function payloadFor({ attachment, spaceUsed }: Announced) {
  const fields = { attachment: presentAttachment(attachment), upload_space_used: spaceUsed };
  return payloadOf(attachmentUpdated.type, attachmentUpdated.op, fields);
}
