import { ApiError, errors } from "../../../api/errors.ts";
import { accessUserToChange, isOnlyOwner } from "../access/access.ts";
import { deactivateUser } from "../actions.ts";
import { users } from "../user.ts";
import type { ViewerChange } from "../viewer/change.ts";

/**
 * Deactivates a person as an administrator. See `deactivateUser` for what follows. Throws `noSuchUser` for a
 * bot, which has an endpoint of its own, `targetDeactivated`, and `onlyOwnerStays`.
 */
export async function deactivatePerson(tx: ViewerChange, userId: number): Promise<void> {
  const target = accessUserToChange(tx.viewer, { userId });
  if (target.botType !== null) throw new ApiError(errors.noSuchUser);
  if (!target.isActive) throw new ApiError(errors.targetDeactivated);
  if (isOnlyOwner(tx.state, target)) throw new ApiError(errors.onlyOwnerStays);
  await deactivateUser(tx, target);
}

/**
 * Deactivates the viewer's own account (spec E13). Throws `cannotDeactivateLastUser` for the only active
 * user, bots included, and otherwise for the only owner.
 */
export async function deactivateOwnAccount(tx: ViewerChange): Promise<void> {
  const { state, viewer } = tx;
  const active = [...state.get(users).all()].filter((user) => user.isActive);
  if (active.length === 1) {
    throw new ApiError(errors.cannotDeactivateLastUser, { entity: "user", isLastOwner: false });
  }
  await deactivateUser(tx, viewer.user);
}
