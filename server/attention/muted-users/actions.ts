import { ApiError, errors } from "../../../api/errors.ts";
import { mutedUsersChanged } from "../../../api/events/muted-users.ts";
import { accessUser } from "../../people/access/access.ts";
import type { User } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { type MutedUserPatch, mutedUsers, presentMutedUsers } from "./muted-users.ts";
import { endMutedUser, insertMutedUser, ownMutedUsers } from "./store.ts";

/**
 * Mutes a person or bot for the viewer (spec E12). The viewer's clients get an event. New messages of the
 * target are read when they arrive. A hook in `server/messages/` makes earlier messages read.
 */
export async function muteUser(tx: ViewerChange, targetId: number): Promise<void> {
  const { viewer } = tx;
  const target = accessTarget(viewer, targetId);
  const isNew = await insertMutedUser(tx, tx.state.organizationId, viewer.user.id, target.id);
  if (!isNew) throw new ApiError(errors.userAlreadyMuted);
  await announce(tx, { userId: viewer.user.id, mutedUserId: target.id, isMuted: true });
}

export async function unmuteUser(tx: ViewerChange, targetId: number): Promise<void> {
  const { viewer } = tx;
  const target = accessTarget(viewer, targetId);
  const wasMuted = await endMutedUser(tx, tx.state.organizationId, viewer.user.id, target.id);
  if (!wasMuted) throw new ApiError(errors.userNotMuted);
  await announce(tx, { userId: viewer.user.id, mutedUserId: target.id, isMuted: false });
}

function accessTarget(viewer: Viewer, id: number): User {
  if (id === viewer.user.id) throw new ApiError(errors.cannotMuteSelf);
  return accessUser(viewer, id);
}

async function announce(tx: ViewerChange, patch: MutedUserPatch): Promise<void> {
  const { user } = tx.viewer;
  const muted_users = presentMutedUsers(await ownMutedUsers.list(tx, tx.state.organizationId, user.id));
  tx.append(mutedUsersChanged, { muted_users }, toUsers([user.id]), patchOf(mutedUsers, patch));
}
