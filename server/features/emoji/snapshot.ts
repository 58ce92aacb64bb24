import type { OrganizationId } from "../../../api/ids.ts";
import { type CustomEmojiRecord, registerEmoji } from "../../../api/register/emoji.ts";
import { sectionOf } from "../users/register-section.ts";
import { type CustomEmoji, customEmoji, emojiUrl, stillEmojiUrl } from "./custom-emoji.ts";

/** All custom emoji by ID, including deactivated ones, since reactions may use them. */
export const emojiSection = sectionOf(registerEmoji, ({ state, wants }) => {
  if (!wants("realm_emoji")) return undefined;
  const all = [...state.get(customEmoji).byId.values()];
  return {
    realm_emoji: Object.fromEntries(all.map((emoji) => [emoji.id, present(state.organizationId, emoji)])),
  };
});

function present(organizationId: OrganizationId, emoji: CustomEmoji): CustomEmojiRecord {
  return {
    id: `${emoji.id}`,
    name: emoji.name,
    source_url: emojiUrl(organizationId, emoji),
    still_url: stillEmojiUrl(organizationId, emoji),
    deactivated: !emoji.isActive,
    author_id: emoji.authorId,
  };
}
