import type { MessageId, UserId } from "../../../api/ids.ts";
import type { User } from "../../people/user.ts";
import type { CredentialHashes } from "../../people/viewer/viewer.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/** What messages and thumbnails need to know of a picture. */
export interface UploadedPicture {
  /** As people see it: turned as the file says. */
  width: number;
  height: number;
  isAnimated: boolean;
  /** It turned out that no small picture can be made of it. */
  isBroken?: boolean;
}

export interface Upload {
  id: number;
  ownerId: UserId;
  /** What addresses name it by, after `/user_uploads/`. */
  path: string;
  storageKey: string;
  /** For people. */
  fileName: string;
  /** Decided by the server. What browsers must not show has `application/octet-stream`. */
  contentType: string;
  size: number;
  createdAt: Date;
  image: UploadedPicture | null;
}

/** An upload with the newest messages that link it, the newest first. */
export interface LinkedUpload extends Upload {
  messageIds: readonly MessageId[];
}

/** Somebody who wants to read a file. Without a user: an anonymous visitor, where public access is on. */
export interface FileReader {
  state: OrganizationState;
  user: User | undefined;
}

/**
 * Returns those that the reader may read now: their own, and those that a message links which they may read.
 * The module of messages knows how.
 */
export type ReadableUploads = (
  reader: FileReader,
  tx: Queryable,
  uploads: readonly LinkedUpload[],
) => Promise<LinkedUpload[]>;

/** What uploads need of later modules. */
export interface LaterOfUploads {
  readableUploads: ReadableUploads;
  credentialHash: CredentialHashes;
}

export interface MessageLink {
  messageId: MessageId;
  sentAt: Date;
}

export interface Attachment extends Upload {
  /** The newest messages that link it, in the order in which they were sent. */
  messages: readonly MessageLink[];
}
