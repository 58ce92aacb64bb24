import { ApiError, errors } from "../../../api/errors.ts";
import { emojiCodeByName } from "../../../markdown/emoji.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type CustomEmoji, customEmoji } from "./custom-emoji.ts";

/**
 * An emoji as reactions name it: the code tells it apart among those of its type, the name is what people
 * typed.
 */
export interface Emoji {
  reactionType: string;
  emojiCode: string;
  emojiName: string;
}

/** How a request names an emoji. */
export interface NamedEmoji {
  name: string | undefined;
  code: string | undefined;
  type: string | undefined;
}

/**
 * Emoji that are neither in Unicode nor the organization's. COMPAT: clients know this emoji under a
 * separate type.
 */
const EXTRA_EMOJI = new Set(["zulip"]);
const EXTRA_TYPE = "service_extra_emoji";

/** The emoji's type and code: from the request, or else from the name. Throws when no emoji has that name. */
export function identifyEmoji(
  state: OrganizationState,
  { name, code, type }: NamedEmoji,
): Pick<Emoji, "reactionType" | "emojiCode"> {
  // COMPAT: the same type under its older name.
  const given = type === "zulip_extra_emoji" ? EXTRA_TYPE : type;
  if (code !== undefined && given !== undefined) return { emojiCode: code, reactionType: given };
  if (name === undefined) {
    if (code === undefined) throw new ApiError(errors.emojiNotNamed);
    return { emojiCode: code, reactionType: "unicode_emoji" };
  }
  const found = findByName(state, name);
  if (!found) throw new ApiError(errors.emojiDoesNotExist, { name });
  return { emojiCode: code ?? found.emojiCode, reactionType: given ?? found.reactionType };
}

/**
 * Whether such an emoji may be added to a message that does not have it yet: name, code and type belong
 * together.
 */
export function checkEmoji(state: OrganizationState, { reactionType, emojiCode, emojiName }: Emoji): void {
  if (reactionType === "realm_emoji") {
    const custom = findByCode(state, emojiCode);
    if (!custom?.isActive) throw new ApiError(errors.emojiDoesNotExist, { name: emojiName });
    if (custom.name !== emojiName) throw new ApiError(errors.invalidEmojiCode);
    return;
  }
  const code = reactionType === EXTRA_TYPE ? extraCode(emojiName) : emojiCodeByName(emojiName);
  if (code === undefined) throw new ApiError(errors.emojiDoesNotExist, { name: emojiName });
  if (code !== emojiCode) throw new ApiError(errors.invalidEmojiCode);
}

function findByName(
  state: OrganizationState,
  name: string,
): Pick<Emoji, "reactionType" | "emojiCode"> | undefined {
  const custom = state.get(customEmoji).findByName(name);
  if (custom) return { reactionType: "realm_emoji", emojiCode: `${custom.id}` };
  const extra = extraCode(name);
  if (extra !== undefined) return { reactionType: EXTRA_TYPE, emojiCode: extra };
  const code = emojiCodeByName(name);
  return code === undefined ? undefined : { reactionType: "unicode_emoji", emojiCode: code };
}

function findByCode(state: OrganizationState, code: string): CustomEmoji | undefined {
  return /^[1-9]\d{0,14}$/.test(code) ? state.get(customEmoji).byId.get(Number(code)) : undefined;
}

function extraCode(name: string): string | undefined {
  return EXTRA_EMOJI.has(name) ? name : undefined;
}
