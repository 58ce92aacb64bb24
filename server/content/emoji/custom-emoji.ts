import type { OrganizationId } from "../../../api/ids.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { type CustomEmojiRow, listCustomEmoji } from "./store.ts";

/** An emoji that an organization made for itself. It is replaced as a whole when it changes. */
export type CustomEmoji = Readonly<CustomEmojiRow>;

class AllCustomEmoji {
  readonly byId = new Map<number, CustomEmoji>();
  readonly #activeByName = new Map<string, CustomEmoji>();

  /** The active one with exactly this name. */
  findByName(name: string): CustomEmoji | undefined {
    return this.#activeByName.get(name);
  }

  put(emoji: CustomEmoji): void {
    const before = this.byId.get(emoji.id);
    if (before && this.#activeByName.get(before.name) === before) this.#activeByName.delete(before.name);
    this.byId.set(emoji.id, emoji);
    if (emoji.isActive) this.#activeByName.set(emoji.name, emoji);
  }
}

/** The organization's own emoji. Patch: those that are new or changed. */
export const customEmoji: Projection<AllCustomEmoji, readonly CustomEmoji[]> = {
  name: "custom_emoji",
  async load(tx, organizationId) {
    const value = new AllCustomEmoji();
    for (const emoji of await listCustomEmoji(tx, organizationId)) value.put(emoji);
    return value;
  },
  apply(value, patch) {
    for (const emoji of patch) value.put(emoji);
  },
};

/** The path of its picture, below the organization's URL. */
export function emojiUrl(organizationId: OrganizationId, { fileName }: CustomEmoji): string {
  return `/user_avatars/${organizationId}/emoji/images/${fileName}`;
}

/** The path of a still picture of an animated emoji; null for one that is not animated. */
export function stillEmojiUrl(
  organizationId: OrganizationId,
  { fileName, isAnimated }: CustomEmoji,
): string | null {
  if (!isAnimated) return null;
  return `/user_avatars/${organizationId}/emoji/images/still/${fileName.replace(/\.[^.]*$/, "")}.png`;
}
