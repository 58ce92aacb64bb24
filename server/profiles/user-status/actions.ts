import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { checkEmoji, identifyEmoji } from "../../content/emoji/reference.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { accessManagedUser } from "../../people/access/access.ts";
import type { Quotas } from "../../people/quotas/quotas.ts";
import { updateUserSettings } from "../../people/settings/update-settings.ts";
import type { User } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { announceStatus } from "./events.ts";
import { deleteUserStatus, upsertUserStatus } from "./store.ts";
import { noStatus, type UserStatus, userStatuses } from "./user-statuses.ts";

/** The parts of a status that a request names. */
export interface NewStatus {
  statusText?: string | undefined;
  emojiName?: string | undefined;
  emojiCode?: string | undefined;
  reactionType?: string | undefined;
}

/** A person who is not deactivated. Those who may know of them may know what they say. */
export function accessPerson(viewer: Viewer, id: number): User {
  const user = accessManagedUser(viewer, id);
  if (!user.isActive || user.botType !== null) throw new ApiError(errors.noSuchUser);
  return user;
}

/**
 * Sets the named parts of a person's status; the others stay. Everybody gets an event. An empty emoji name
 * removes the emoji. Throws `emojiDoesNotExist` and `invalidEmojiCode` as for reactions.
 */
export async function setStatus(
  tx: ViewerChange,
  quotas: Quotas,
  target: User,
  { statusText, ...emoji }: NewStatus,
): Promise<void> {
  const { state } = tx;
  const named = identify(state, emoji);
  if (statusText === undefined && named === undefined) return;
  await quotas.use(tx, "statuses");
  const text = statusText?.trim();
  const before = state.get(userStatuses).get(target.id) ?? noStatus;
  const status: UserStatus = {
    ...before,
    ...(text !== undefined && { text }),
    ...named,
  };
  if (target.id !== tx.viewer.user.id) {
    const changes = changesBetween(auditedParts(before), auditedParts(status));
    await recordAudit(tx, { action: "user_status_changed", targetId: target.id, changes });
  }
  const isEmpty = status.text === "" && status.emojiName === "";
  if (isEmpty) await deleteUserStatus(tx, state.organizationId, target.id);
  else await upsertUserStatus(tx, state.organizationId, target.id, status);
  announceStatus(
    tx,
    {
      user_id: target.id,
      ...(text !== undefined && { status_text: text }),
      ...(named && {
        emoji_name: named.emojiName,
        emoji_code: named.emojiCode,
        reaction_type: named.reactionType,
      }),
    },
    patchOf(userStatuses, { userId: target.id, status: isEmpty ? null : status }),
  );
}

function auditedParts({ text, emojiName }: UserStatus) {
  return { status_text: text, emoji_name: emojiName };
}

/** COMPAT: `away` changes the viewer's setting `presence_enabled`. A hook sends the event to others. */
export async function setAway(tx: ViewerChange, away: boolean): Promise<void> {
  await updateUserSettings(tx, tx.viewer.user, new Map([[userSettings.presenceEnabled, !away]]));
}

/** undefined: the request names no emoji. */
function identify(
  state: OrganizationState,
  { emojiName, emojiCode, reactionType }: Omit<NewStatus, "statusText">,
): Omit<UserStatus, "text"> | undefined {
  // COMPAT: clients that remove an emoji may send the other two as empty texts, or as they were.
  if (emojiName === "") return { emojiName: "", emojiCode: "", reactionType: "unicode_emoji" };
  const code = emojiCode || undefined;
  if (emojiName === undefined) {
    if (code !== undefined || reactionType !== undefined) throw new ApiError(errors.statusEmojiNotNamed);
    return undefined;
  }
  const identity = identifyEmoji(state, { name: emojiName, code, type: reactionType });
  const emoji = { ...identity, emojiName };
  checkEmoji(state, emoji);
  return emoji;
}

/** For an account that is erased. Nobody sees the status of a deactivated account, so there is no event. */
export async function clearStatus(tx: Change, userId: UserId): Promise<void> {
  await deleteUserStatus(tx, tx.state.organizationId, userId);
  tx.appendPatch(patchOf(userStatuses, { userId, status: null }));
}
