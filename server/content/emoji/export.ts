/** Custom emoji in an export: their records, and their pictures below `files/`. */
import type { StoredFile } from "../../module-exports.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type CustomEmoji, customEmoji } from "./custom-emoji.ts";
import { picturesOf } from "./pictures.ts";

export function emojiRecord(emoji: CustomEmoji) {
  return {
    id: emoji.id,
    name: emoji.name,
    file_name: emoji.fileName,
    is_animated: emoji.isAnimated,
    author_id: emoji.authorId,
    is_active: emoji.isActive,
    picture: `files/${pictureName(emoji.fileName)}`,
    still: emoji.isAnimated ? `files/${stillName(emoji.fileName)}` : null,
  };
}

export function* emojiFiles(state: OrganizationState): Generator<StoredFile> {
  for (const emoji of state.get(customEmoji).byId.values()) {
    const { main, still } = picturesOf(state.organizationId, emoji);
    yield { key: main, name: pictureName(emoji.fileName) };
    if (still !== undefined) yield { key: still, name: stillName(emoji.fileName) };
  }
}

function pictureName(fileName: string): string {
  return `emoji/${fileName}`;
}

function stillName(fileName: string): string {
  return `emoji/still/${fileName.replace(/\.[^.]*$/, "")}.png`;
}
