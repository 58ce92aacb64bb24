import type { AttachmentRecord } from "../../../api/content/uploads.ts";
import type { Attachment } from "./upload.ts";

export function presentAttachment({
  id,
  fileName,
  path,
  size,
  createdAt,
  messages,
}: Attachment): AttachmentRecord {
  return {
    id,
    name: fileName,
    path_id: path,
    size,
    create_time: createdAt.getTime(),
    messages: messages.map(({ messageId, sentAt }) => ({ id: messageId, date_sent: sentAt.getTime() })),
  };
}
