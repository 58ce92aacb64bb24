import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import type { Config } from "../../config.ts";
import { settingOf } from "../../organization/setting.ts";
import { changeAvatar } from "../../people/pictures/picture-changes.ts";
import type { User } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { discardPicture } from "./pictures.ts";

/** Throws `avatarChangesDisabled`, but never for administrators. */
export function checkMayChangeAvatar({ hasAvatarChanges }: Config, { state, user }: Viewer): void {
  const isOff = !hasAvatarChanges || settingOf(state, organizationSettings.avatarChangesDisabled);
  if (isOff && user.role > roles.administrator) throw new ApiError(errors.avatarChangesDisabled);
}

/**
 * Gives an account the picture of that name, whose files are stored already, or none, and returns the account
 * as it then is. The files of the one before are deleted after the commit.
 */
export async function replaceAvatar(tx: ViewerChange, user: User, avatarFile: string | null): Promise<User> {
  if (avatarFile === user.avatarFile) return user;
  await discardPicture(tx, "avatar", user.avatarFile);
  return changeAvatar(tx, user, avatarFile);
}
