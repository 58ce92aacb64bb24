import { ApiError, errors } from "../../../api/errors.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { type User, users } from "../users/user.ts";
import type { Viewer } from "../users/viewer.ts";
import { type MutedUserPatch, mutedUsers } from "./muted-users.ts";
import { presentMutedUsers } from "./present.ts";
import { endMutedUser, insertMutedUser, listMutedBy } from "./store.ts";

/**
 * Mutes somebody for the viewer (spec E12), whose clients hear of it: from now on what that person or bot sends is read when
 * it comes. That what they had sent is read too is a consequence, of the room that knows what is unread.
 */
export async function muteUser(tx: Change, viewer: Viewer, targetId: number): Promise<void> {
  const target = accessTarget(viewer, targetId);
  const isNew = await insertMutedUser(tx, tx.state.organizationId, viewer.user.id, target.id);
  if (!isNew) throw new ApiError(errors.userAlreadyMuted);
  await announce(tx, viewer, { userId: viewer.user.id, mutedUserId: target.id, isMuted: true });
}

export async function unmuteUser(tx: Change, viewer: Viewer, targetId: number): Promise<void> {
  const target = accessTarget(viewer, targetId);
  const wasMuted = await endMutedUser(tx, tx.state.organizationId, viewer.user.id, target.id);
  if (!wasMuted) throw new ApiError(errors.userNotMuted);
  await announce(tx, viewer, { userId: viewer.user.id, mutedUserId: target.id, isMuted: false });
}

function accessTarget({ state, user }: Viewer, id: number): User {
  if (id === user.id) throw new ApiError(errors.cannotMuteSelf);
  const target = state.get(users).find(id);
  if (!target) throw new ApiError(errors.noSuchUser);
  return target;
}

async function announce(tx: Change, { user }: Viewer, patch: MutedUserPatch): Promise<void> {
  const muted_users = presentMutedUsers(await listMutedBy(tx, tx.state.organizationId, user.id));
  tx.appendRaw({ type: "muted_users", muted_users }, toUsers([user.id]), { [mutedUsers.name]: patch });
}
