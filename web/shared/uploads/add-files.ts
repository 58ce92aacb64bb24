import type { Conversation } from "../../../client/narrow.ts";
import { withPart } from "../../ui/notice.ts";

/** `insert` puts a place into the text. */
export function addFiles(
  files: readonly File[],
  to: Conversation,
  insert: (text: string) => void,
): Promise<void> {
  return withPart(
    () => import("./upload-file.ts"),
    ({ uploadFile }) => {
      for (const file of files) void uploadFile(file, to, insert);
    },
  );
}
