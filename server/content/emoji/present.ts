import type { CustomEmojiRecord } from "../../../api/content/emoji.ts";
import type { OrganizationId } from "../../../api/ids.ts";
import { type CustomEmoji, emojiUrl, stillEmojiUrl } from "./custom-emoji.ts";

/** By ID. */
export function presentCustomEmoji(
  organizationId: OrganizationId,
  all: Iterable<CustomEmoji>,
): Record<string, CustomEmojiRecord> {
  return Object.fromEntries([...all].map((emoji) => [emoji.id, presentOne(organizationId, emoji)]));
}

function presentOne(organizationId: OrganizationId, emoji: CustomEmoji): CustomEmojiRecord {
  return {
    id: `${emoji.id}`,
    name: emoji.name,
    source_url: emojiUrl(organizationId, emoji),
    still_url: stillEmojiUrl(organizationId, emoji),
    deactivated: !emoji.isActive,
    author_id: emoji.authorId,
  };
}
