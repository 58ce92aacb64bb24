/**
 * Which messages link which uploads. The module of messages decides which links count. It asks here in the
 * transaction in which a message is sent, edited or deleted. The uploads' owners get an event each time.
 */
import { attachmentUpdated } from "../../../api/events/uploads.ts";
import type { MessageId } from "../../../api/ids.ts";
import { MAX_MESSAGES_OF_ATTACHMENT, MAX_UPLOADS_A_MESSAGE } from "../../../api/limits.ts";
import type { UploadedImage } from "../../../markdown/lookups.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { decodedPath, isPath } from "./path.ts";
import { presentAttachment } from "./present.ts";
import {
  deleteLinks,
  findSpace,
  insertLinks,
  listLinkedUploads,
  listUploadsOfMessages,
  lockAttachments,
} from "./store.ts";
import { STILL_THUMBNAIL } from "./thumbnail-formats.ts";
import type { Attachment, LinkedUpload, MessageLink, Upload } from "./upload.ts";

/** How many links of all files that are asked about together are read. Older messages open no file. */
const MAX_LINKS = 1000;

/** Uploads that a text links, by the path as it stands in the text. */
export type UploadsOfText = ReadonlyMap<string, LinkedUpload>;

/** The upload with this path, with the newest messages that link it. */
export async function findLinkedUpload(
  db: Queryable,
  { organizationId }: OrganizationState,
  path: string,
): Promise<LinkedUpload | undefined> {
  if (!isPath(path)) return undefined;
  const [found] = await listLinkedUploads(db, organizationId, [path], MAX_LINKS);
  return found;
}

/** The uploads that a text links, without those that are one too many. */
export async function findUploadsOfText(
  db: Queryable,
  { organizationId }: OrganizationState,
  writtenPaths: readonly string[],
): Promise<UploadsOfText> {
  const written = writtenPaths.slice(0, MAX_UPLOADS_A_MESSAGE);
  if (written.length === 0) return new Map();
  const decoded = written.map((each) => [each, decodedPath(each)] as const);
  const paths = [...new Set(decoded.flatMap(([, path]) => (path === undefined ? [] : [path])))];
  if (paths.length === 0) return new Map();
  const linksOfEach = Math.ceil(MAX_LINKS / paths.length);
  const byPath = new Map(
    (await listLinkedUploads(db, organizationId, paths, linksOfEach)).map((each) => [each.path, each]),
  );
  return new Map(
    decoded.flatMap(([text, path]) => {
      const upload = path === undefined ? undefined : byPath.get(path);
      return upload ? [[text, upload] as const] : [];
    }),
  );
}

/** The uploads that the text of a stored message links: those whose links counted when it was written. */
export async function findUploadsOfMessage(
  db: Queryable,
  state: OrganizationState,
  messageId: MessageId,
  writtenPaths: readonly string[],
): Promise<UploadsOfText> {
  const found = await findUploadsOfText(db, state, writtenPaths);
  if (found.size === 0) return found;
  const linked = new Set(await listUploadsOfMessages(db, state.organizationId, [messageId]));
  return new Map([...found].filter(([, { id }]) => linked.has(id)));
}

/** What a text shows of a picture; undefined if the upload is none. */
export function pictureOf({ image, contentType }: Upload): UploadedImage | undefined {
  if (!image || image.isBroken) return undefined;
  const { width, height, isAnimated } = image;
  return { width, height, contentType, thumbnail: STILL_THUMBNAIL, isAnimated };
}

/** Uploads that a new message links. Nobody else changes their links until the commit. */
export interface NewLinks {
  attachments: readonly Attachment[];
  spaceUsed: number;
}

/** The first half of linking, before the message has its id. Uploads that are gone by now are left out. */
export async function prepareLinks(tx: Change, uploads: readonly Upload[]): Promise<NewLinks> {
  const { organizationId } = tx.state;
  const ids = [...new Set(uploads.map(({ id }) => id))];
  const attachments = await lockAttachments(tx, organizationId, ids, MAX_MESSAGES_OF_ATTACHMENT);
  return { attachments, spaceUsed: await findSpace(tx, organizationId) };
}

/** Writes the links of a message. */
export async function writeLinks(
  tx: Queryable,
  { organizationId }: OrganizationState,
  { attachments }: NewLinks,
  link: MessageLink,
): Promise<void> {
  await insertLinks(
    tx,
    organizationId,
    attachments.map(({ id }) => id),
    link,
  );
}

/** Announces links of a message. `link` is asked for when the message has its id. */
export function announceLinks(
  tx: Change,
  { attachments, spaceUsed }: NewLinks,
  link: () => MessageLink,
): void {
  for (const attachment of attachments) {
    const fields = () => updated(withLink(attachment, link()), spaceUsed);
    tx.appendAfterRows(attachmentUpdated, fields, toUsers([attachment.ownerId]));
  }
}

function withLink(attachment: Attachment, link: MessageLink): Attachment {
  const messages = [...attachment.messages, link];
  return { ...attachment, messages: messages.slice(-MAX_MESSAGES_OF_ATTACHMENT) };
}

function updated(attachment: Attachment, spaceUsed: number) {
  return { attachment: presentAttachment(attachment), upload_space_used: spaceUsed };
}

/**
 * For a change that locks policies before it calls `replaceLinks`. LOCK: the uploads that the message links,
 * or is to link.
 */
export async function lockLinks(tx: Change, messageId: MessageId, uploads: readonly Upload[]): Promise<void> {
  const { organizationId } = tx.state;
  const before = await listUploadsOfMessages(tx, organizationId, [messageId]);
  const ids = [...new Set([...before, ...uploads.map(({ id }) => id)])];
  if (ids.length > 0) await lockAttachments(tx, organizationId, ids, 0);
}

/**
 * Gives a message whose text has changed the links of its new text. Returns the uploads that no message links
 * any more.
 */
export async function replaceLinks(
  tx: Change,
  link: MessageLink,
  uploads: readonly Upload[],
): Promise<Attachment[]> {
  const { organizationId } = tx.state;
  const { messageId } = link;
  const before = await listUploadsOfMessages(tx, organizationId, [messageId]);
  const after = [...new Set(uploads.map(({ id }) => id))];
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  if (added.length + removed.length === 0) return [];
  const present = await lockAttachments(tx, organizationId, [...added, ...removed], 0);
  const isPresent = (id: number) => present.some((each) => each.id === id);
  await insertLinks(tx, organizationId, added.filter(isPresent), link);
  await deleteLinks(tx, organizationId, removed, [messageId]);
  const attachments = await announceUpdated(tx, [...added, ...removed]);
  return attachments.filter(({ id, messages }) => removed.includes(id) && messages.length === 0);
}

/** Takes back what these messages link, since they are about to be deleted. */
export async function deleteLinksOf(tx: Change, messageIds: readonly MessageId[]): Promise<void> {
  const { organizationId } = tx.state;
  const ids = await listUploadsOfMessages(tx, organizationId, messageIds);
  if (ids.length === 0) return;
  await lockAttachments(tx, organizationId, ids, 0);
  await deleteLinks(tx, organizationId, ids, messageIds);
  await announceUpdated(tx, ids);
}

async function announceUpdated(tx: Change, ids: readonly number[]): Promise<Attachment[]> {
  const { organizationId } = tx.state;
  const attachments = await lockAttachments(tx, organizationId, ids, MAX_MESSAGES_OF_ATTACHMENT);
  const spaceUsed = await findSpace(tx, organizationId);
  for (const attachment of attachments) {
    tx.append(attachmentUpdated, updated(attachment, spaceUsed), toUsers([attachment.ownerId]));
  }
  return attachments;
}
