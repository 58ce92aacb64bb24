import type { Conversation } from "../../../client/narrow.ts";
import { loadWithTexts } from "../../i18n/lazy-part.ts";

/** `insert` puts a place into the text. */
export async function addFiles(
  files: readonly File[],
  to: Conversation,
  insert: (text: string) => void,
): Promise<void> {
  const { uploadFile } = await loadWithTexts(() => import("./upload-file.ts"));
  for (const file of files) void uploadFile(file, to, insert);
}
