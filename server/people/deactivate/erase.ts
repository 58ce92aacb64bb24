import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { accessUserToChange } from "../access/access.ts";
import { deactivateUser } from "../actions.ts";
import { deleteApiKey } from "../api-key-store.ts";
import { apiKeys } from "../api-keys.ts";
import { lockAccount } from "../credentials.ts";
import { announceName, announceTimezone } from "../events.ts";
import { eraseUser } from "../store.ts";
import { type User, users } from "../user.ts";
import type { ViewerChange } from "../viewer/change.ts";
import { checkOwner } from "../viewer/current-viewer.ts";

/** A domain that no mail server has (RFC 2606). */
const NOWHERE = "erased.invalid";

/** The name of somebody whose account was erased. No other account ever gets the ID. */
export function nameOfErased(id: UserId): string {
  return `Deleted user ${id}`;
}

/** A person whom the viewer may erase, or has erased. Throws `noSuchUser` and `mustBeOwner`. */
export function accessPersonToErase(tx: ViewerChange, userId: number): User {
  checkOwner(tx.viewer);
  const target = accessUserToChange(tx.viewer, { userId });
  if (target.botType !== null) throw new ApiError(errors.noSuchUser);
  return target;
}

/**
 * Deactivates an account and leaves nothing in its row but the ID, the role and a neutral name and address.
 * Everybody gets the events of a changed account. What other tables have is for the caller. Throws
 * `cannotDeactivateLastUser` for the only owner.
 */
export async function eraseAccount(tx: ViewerChange, target: User): Promise<User> {
  await lockAccount(tx, target.id);
  if (target.isActive) await deactivateUser(tx, target);
  const erased: User = {
    ...target,
    isActive: false,
    isErased: true,
    fullName: nameOfErased(target.id),
    email: freeAddress(tx, target),
    timezone: "UTC",
    settings: {},
    canChangeEmails: false,
    avatarFile: null,
    avatarVersion: target.avatarVersion + 1,
  };
  await eraseUser(tx, tx.state.organizationId, erased);
  await deleteApiKey(tx, tx.state.organizationId, target.id);
  tx.appendPatch(patchOf(users, { put: [erased] }));
  tx.appendPatch(patchOf(apiKeys, { userId: target.id, hash: null }));
  announceName(tx, erased);
  if (target.timezone !== erased.timezone) announceTimezone(tx, erased);
  await recordAudit(tx, { action: "user_erased", targetId: target.id });
  return erased;
}

/** Somebody may have given another account the address by which this one is to be known. */
function freeAddress({ state }: ViewerChange, { id }: User): string {
  const taken = (address: string) => state.get(users).findByEmail(address) !== undefined;
  let name = `deleted-user-${id}`;
  while (taken(`${name}@${NOWHERE}`)) name += "-";
  return `${name}@${NOWHERE}`;
}
