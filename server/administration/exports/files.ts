/**
 * The stored files that an export has, in its folder `files/`. Each source names those of one subject. A file
 * that the storage has no more is left out.
 */

import { customEmoji } from "../../content/emoji/custom-emoji.ts";
import { picturesOf } from "../../content/emoji/pictures.ts";
import type { FileStorage } from "../../platform/file-storage/file-storage.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Archive } from "./archive.ts";
import type { Scope } from "./scope.ts";

const FOLDER = "files";

export interface StoredFile {
  /** In the file storage. */
  key: string;
  /** Below `files/` in the archive. Records name the file by it. */
  name: string;
}

type FileSource = (
  state: OrganizationState,
  scope: Scope,
) => Iterable<StoredFile> | AsyncIterable<StoredFile>;

/** A subject with files adds its own here. It names only files that the scope admits. */
const fileSources: readonly FileSource[] = [emojiPictures];

function* emojiPictures(state: OrganizationState): Generator<StoredFile> {
  for (const emoji of state.get(customEmoji).byId.values()) {
    const { main, still } = picturesOf(state.organizationId, emoji);
    yield { key: main, name: emojiPictureName(emoji.fileName) };
    if (still !== undefined) yield { key: still, name: stillPictureName(emoji.fileName) };
  }
}

/** Writes all files. Returns how many there are. */
export async function writeFiles(
  archive: Archive,
  files: FileStorage,
  state: OrganizationState,
  { scope, signal }: { scope: Scope; signal: AbortSignal | undefined },
): Promise<number> {
  let count = 0;
  for (const source of fileSources) {
    for await (const { key, name } of source(state, scope)) {
      signal?.throwIfAborted();
      const opened = await files.open(key);
      if (!opened) continue;
      await archive.addFile(`${FOLDER}/${name}`, opened.size, opened.stream);
      count++;
    }
  }
  return count;
}

/** Where the pictures of an emoji are in the archive. `still`: `null` for one that is not animated. */
export function pathsOfEmoji({ fileName, isAnimated }: { fileName: string; isAnimated: boolean }): {
  picture: string;
  still: string | null;
} {
  return {
    picture: `${FOLDER}/${emojiPictureName(fileName)}`,
    still: isAnimated ? `${FOLDER}/${stillPictureName(fileName)}` : null,
  };
}

function emojiPictureName(fileName: string): string {
  return `emoji/${fileName}`;
}

function stillPictureName(fileName: string): string {
  return `emoji/still/${fileName.replace(/\.[^.]*$/, "")}.png`;
}
