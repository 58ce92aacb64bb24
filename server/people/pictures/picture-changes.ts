/** What becomes known when pictures change: by an upload, with a name or address, or with the default. */

import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { userAvatarChanged } from "../../../api/events/users.ts";
import { type Organization, organization } from "../../organization/organization.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { updateAvatar } from "../store.ts";
import { type User, users } from "../user.ts";
import { avatarSource, avatarUrl, type DefaultSource, defaultSourceOf } from "./picture.ts";

/**
 * Gives an account another uploaded picture, or none, and returns the account as it then is. Its files must
 * be stored already. All clients get an event.
 */
export async function changeAvatar(tx: Change, user: User, avatarFile: string | null): Promise<User> {
  const next = { ...user, avatarFile, avatarVersion: user.avatarVersion + 1 };
  await updateAvatar(tx, tx.state.organizationId, next);
  tx.appendPatch(patchOf(users, { put: [next] }));
  return next;
}

/** Whether every reader sees the same picture of an account before and after a change of it. */
export function isSamePicture(state: OrganizationState, before: User, after: User): boolean {
  return (
    before.avatarVersion === after.avatarVersion &&
    avatarUrl(state, before, false) === avatarUrl(state, after, false)
  );
}

/** Queues get the address as their reader may see it: see the serializer. */
export function announcePicture(tx: Change, user: User, source = defaultSourceOf(tx.state)): void {
  const person = {
    user_id: user.id,
    avatar_source: avatarSource(tx.state, user, source),
    avatar_url: avatarUrl(tx.state, user, false, "normal", source),
    avatar_url_medium: avatarUrl(tx.state, user, false, "medium", source),
    avatar_version: user.avatarVersion,
  };
  tx.append(userAvatarChanged, { person }, everyone);
}

/** Announces the pictures of all who have not uploaded one, when the organization chooses another default. */
export const defaultPictureChanges: BeforeCommitHook = {
  projections: [organization.name],
  run(tx, patches) {
    const source = changedDefaultSource(tx.state, patchesOf(patches, organization));
    if (source === undefined) return;
    for (const user of tx.state.get(users).byId.values()) {
      if (user.avatarFile === null) announcePicture(tx, user, source);
    }
  },
};

/** The default after a change of the organization; undefined if it stays. */
export function changedDefaultSource(
  state: OrganizationState,
  patches: readonly Organization[],
): DefaultSource | undefined {
  const after = patches.at(-1);
  if (!after) return undefined;
  const { name, default: usual } = organizationSettings.defaultAvatarSource;
  const source = (after.settings[name] ?? usual) === "G" ? "G" : "J";
  return source === defaultSourceOf(state) ? undefined : source;
}
