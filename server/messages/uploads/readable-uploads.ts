import type { MessageId } from "../../../api/ids.ts";
import type { FileReader, LinkedUpload } from "../../content/uploads/upload.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { findReadableIds } from "../access.ts";

/**
 * Returns those uploads that the reader may read now: their own, and those that a message links which they
 * may read. The latter have only such messages. It takes two statements, however many messages link them.
 */
export async function readableUploads(
  reader: FileReader,
  tx: Queryable,
  uploads: readonly LinkedUpload[],
): Promise<LinkedUpload[]> {
  const isOwn = ({ ownerId }: LinkedUpload) => ownerId === reader.user?.id;
  const ids = new Set(uploads.flatMap((upload) => (isOwn(upload) ? [] : upload.messageIds)));
  const readable = ids.size > 0 ? await findReadableIds(reader, tx, [...ids]) : new Set<MessageId>();
  return uploads.flatMap((upload) => {
    if (isOwn(upload)) return upload;
    const messageIds = upload.messageIds.filter((id) => readable.has(id));
    return messageIds.length > 0 ? { ...upload, messageIds } : [];
  });
}
