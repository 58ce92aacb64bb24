import { ApiError, errors } from "../../api/errors.ts";
import type { OrganizationId } from "../../api/ids.ts";
import { emojiCodeByName } from "../../markdown/emoji.ts";
import type { Queryable } from "../db/database.ts";
import { type Emoji, findCustomEmoji } from "./store.ts";

/** How a request names an emoji. */
export interface NamedEmoji {
  name: string | undefined;
  code: string | undefined;
  type: string | undefined;
}

/** Emoji that are neither Unicode's nor the organization's. COMPAT: clients know this one under its own type. */
const EXTRA_EMOJI = new Set(["zulip"]);
const EXTRA_TYPE = "service_extra_emoji";

/** The emoji's type and code: as the request says, or as they follow from the name. Throws when the name is of no emoji. */
export async function identifyEmoji(
  tx: Queryable,
  organizationId: OrganizationId,
  { name, code, type }: NamedEmoji,
): Promise<Pick<Emoji, "reactionType" | "emojiCode">> {
  // COMPAT: the same type under its older name.
  const given = type === "zulip_extra_emoji" ? EXTRA_TYPE : type;
  if (code !== undefined && given !== undefined) return { emojiCode: code, reactionType: given };
  if (name === undefined) {
    if (code === undefined) throw new ApiError(errors.emojiNotNamed);
    return { emojiCode: code, reactionType: "unicode_emoji" };
  }
  const found = await findByName(tx, organizationId, name);
  if (!found) throw new ApiError(errors.emojiDoesNotExist, { name });
  return { emojiCode: code ?? found.emojiCode, reactionType: given ?? found.reactionType };
}

/** Whether such an emoji may be added to a message that does not have it yet: name, code and type belong together. */
export async function checkEmoji(
  tx: Queryable,
  organizationId: OrganizationId,
  { reactionType, emojiCode, emojiName }: Emoji,
): Promise<void> {
  if (reactionType === "realm_emoji") {
    const custom = await findCustomEmojiByCode(tx, organizationId, emojiCode);
    if (!custom?.isActive) throw new ApiError(errors.emojiDoesNotExist, { name: emojiName });
    if (custom.name !== emojiName) throw new ApiError(errors.invalidEmojiCode);
    return;
  }
  const code = reactionType === EXTRA_TYPE ? extraCode(emojiName) : emojiCodeByName(emojiName);
  if (code === undefined) throw new ApiError(errors.emojiDoesNotExist, { name: emojiName });
  if (code !== emojiCode) throw new ApiError(errors.invalidEmojiCode);
}

async function findByName(
  tx: Queryable,
  organizationId: OrganizationId,
  name: string,
): Promise<Pick<Emoji, "reactionType" | "emojiCode"> | undefined> {
  const custom = await findCustomEmoji(tx, organizationId, { name });
  if (custom) return { reactionType: "realm_emoji", emojiCode: `${custom.id}` };
  const extra = extraCode(name);
  if (extra !== undefined) return { reactionType: EXTRA_TYPE, emojiCode: extra };
  const code = emojiCodeByName(name);
  return code === undefined ? undefined : { reactionType: "unicode_emoji", emojiCode: code };
}

function findCustomEmojiByCode(tx: Queryable, organizationId: OrganizationId, code: string) {
  return /^\d{1,15}$/.test(code)
    ? findCustomEmoji(tx, organizationId, { id: Number(code) })
    : Promise.resolve(undefined);
}

function extraCode(name: string): string | undefined {
  return EXTRA_EMOJI.has(name) ? name : undefined;
}
