/** Adding custom emoji and taking them out of use. Everyone gets all of them after a change. */

import { organizationPermissions } from "../../../api/administration/organization-permissions.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { customEmojiChanged } from "../../../api/events/emoji.ts";
import { MAX_CUSTOM_EMOJI } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { emojiCodeByName } from "../../../markdown/emoji.ts";
import { canDo } from "../../groups/group-setting.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { type CustomEmoji, customEmoji } from "./custom-emoji.ts";
import { presentCustomEmoji } from "./present.ts";
import { type EmojiPicture, insertCustomEmoji, updateAsDeactivated } from "./store.ts";

/** Throws if the viewer can't add an emoji with this name. No picture is needed to know that. */
export function checkNewEmoji({ state, user }: Viewer, name: string): void {
  if (!canDo(state, organizationPermissions.canAddCustomEmoji, user))
    throw new ApiError(errors.insufficientPermission);
  const all = state.get(customEmoji);
  if (all.findByName(name)) throw new ApiError(errors.emojiNameTaken);
  if (emojiCodeByName(name) !== undefined && user.role > roles.administrator)
    throw new ApiError(errors.builtInEmojiName);
  if (all.byId.size >= MAX_CUSTOM_EMOJI) {
    throw new ApiError(errors.tooManyInOrganization, { what: "custom emoji", limit: MAX_CUSTOM_EMOJI });
  }
}

/** The picture must be stored already. */
export async function addEmoji(tx: ViewerChange, name: string, picture: EmojiPicture): Promise<CustomEmoji> {
  checkNewEmoji(tx.viewer, name);
  const { organizationId } = tx.state;
  const emoji = await insertCustomEmoji(tx, organizationId, {
    name,
    ...picture,
    authorId: tx.viewer.user.id,
  });
  const changes = changesBetween({}, { name });
  await recordAudit(tx, { action: "custom_emoji_added", targetId: emoji.id, changes });
  announce(tx, emoji);
  return emoji;
}

/** Messages and reactions keep the emoji, and its picture stays. Its name can be taken again. */
export async function deactivateEmoji(tx: ViewerChange, name: string): Promise<void> {
  const { state, viewer } = tx;
  const emoji = state.get(customEmoji).findByName(name);
  if (!emoji) throw new ApiError(errors.customEmojiDoesNotExist, { name });
  if (viewer.user.role > roles.administrator && emoji.authorId !== viewer.user.id)
    throw new ApiError(errors.notEmojiAuthor);
  await updateAsDeactivated(tx, state.organizationId, emoji.id);
  const changes = changesBetween({ name }, {});
  await recordAudit(tx, { action: "custom_emoji_deactivated", targetId: emoji.id, changes });
  announce(tx, { ...emoji, isActive: false });
}

function announce(tx: ViewerChange, changed: CustomEmoji): void {
  const all = new Map(tx.state.get(customEmoji).byId).set(changed.id, changed);
  const realm_emoji = presentCustomEmoji(tx.state.organizationId, all.values());
  tx.append(customEmojiChanged, { realm_emoji }, everyone, patchOf(customEmoji, [changed]));
}
