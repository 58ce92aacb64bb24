/**
 * The uploads that a text links. A link counts only if its writer may read the file at that moment. Otherwise
 * it is a link to nowhere: it shows nothing, and opens the file to nobody. So people who lost access to a
 * file can't get it back by naming it again.
 */

import { findUploadsOfText, type UploadsOfText } from "../../content/uploads/links.ts";
import { UPLOADS_FOLDER } from "../../content/uploads/path.ts";
import type { FileReader } from "../../content/uploads/upload.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { readableUploads } from "./readable-uploads.ts";

/** Whether it is worth looking for links to uploads in a text. */
export function mayLinkUploads(text: string): boolean {
  // A link may lack the first slash.
  return text.includes(UPLOADS_FOLDER.slice(1));
}

/** The uploads with these paths that the writer may link now, by the paths as they stand in the text. */
export async function findLinkable(
  writer: FileReader,
  tx: Queryable,
  writtenPaths: readonly string[],
): Promise<UploadsOfText> {
  const found = await findUploadsOfText(tx, writer.state, writtenPaths);
  if (found.size === 0) return found;
  const readable = new Map(
    (await readableUploads(writer, tx, [...found.values()])).map((upload) => [upload.id, upload]),
  );
  return new Map(
    [...found].flatMap(([path, { id }]) => {
      const upload = readable.get(id);
      return upload ? [[path, upload] as const] : [];
    }),
  );
}
