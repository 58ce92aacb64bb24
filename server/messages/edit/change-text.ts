import type { Attachment } from "../../content/uploads/upload.ts";
import { changeContent, changeInGroup } from "../../people/viewer/change.ts";
import { NotForGroup } from "../../platform/log/grouped-change.ts";
import { editMessage } from "./edit.ts";
import { type TextEditRequest, textEditChange } from "./text-edit-change.ts";

/**
 * Changes a message's text, together with other small changes unless it changes more than the message.
 * Returns the viewer's uploads that no message links after the edit.
 */
export async function changeText(request: TextEditRequest): Promise<Attachment[]> {
  const { viewer, messageId, text, previousHash } = request;
  try {
    await changeInGroup(textEditChange, request);
    return [];
  } catch (error) {
    if (!(error instanceof NotForGroup)) throw error;
    return changeContent(viewer, (tx) => editMessage(tx, messageId, { text, previousHash }));
  }
}
