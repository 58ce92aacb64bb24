import { ApiError, errors } from "../../../api/errors.ts";
import { botOwnerChanged, userRoleChanged } from "../../../api/events/users.ts";
import { type Role, roles } from "../../../api/roles.ts";
import { checkEmailAllowed } from "../../organization/allowed-emails/check-email.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { accessUserToChange, isOnlyOwner, type NamedUser } from "../access/access.ts";
import { parseFreeEmail } from "../email/free-email.ts";
import { announceName } from "../events.ts";
import { parseFreeName } from "../free-name.ts";
import type { NoteNewAddress } from "../own-login.ts";
import { updateUser } from "../store.ts";
import { type User, users } from "../user.ts";
import type { ViewerChange } from "../viewer/change.ts";
import { checkOwner } from "../viewer/current-viewer.ts";

export interface UserUpdate {
  fullName?: string | undefined;
  role?: Role | undefined;
  newEmail?: string | undefined;
}

/**
 * Changes another account, or the viewer's own, as an administrator, and returns it as it is now. All clients
 * get an event for each change; hooks add what follows from it. Throws what `accessUserToChange` throws,
 * `accountErased`, `onlyOwnerKeepsRole`, and the errors of names and email addresses.
 */
export async function updateUserAsAdministrator(
  tx: ViewerChange,
  named: NamedUser,
  { fullName, role, newEmail }: UserUpdate,
  noteNewAddress: NoteNewAddress,
): Promise<User> {
  const target = accessUserToChange(tx.viewer, named);
  if (target.isErased) throw new ApiError(errors.accountErased);
  const next: User = {
    ...target,
    role: role === undefined ? target.role : parseRole(tx, target, role),
    fullName: fullName === undefined ? target.fullName : parseFreeName(tx.state, fullName, target),
    email: newEmail === undefined ? target.email : parseNewEmail(tx, target, newEmail),
  };
  const changed = await changeAccount(tx, target, next);
  await noteNewAddress(tx, target, changed);
  return changed;
}

/**
 * Writes another name, role, address or owner of an account that the viewer may change, and returns it. All
 * clients get an event for each change; hooks add what follows from it.
 */
export async function changeAccount(tx: ViewerChange, target: User, next: User): Promise<User> {
  const isSame =
    next.role === target.role &&
    next.fullName === target.fullName &&
    next.email === target.email &&
    next.botOwnerId === target.botOwnerId;
  if (isSame) return target;
  await updateUser(tx, tx.state.organizationId, next);
  tx.appendPatch(patchOf(users, { put: [next] }));
  if (next.role !== target.role) {
    tx.append(userRoleChanged, { person: { user_id: next.id, role: next.role } }, everyone);
    const changes = changesBetween({ role: target.role }, { role: next.role });
    await recordAudit(tx, { action: "user_role_changed", targetId: next.id, changes });
    if (next.role > target.role) await lowerBotsOf(tx, next);
  }
  if (next.fullName !== target.fullName) {
    announceName(tx, next);
    const changes = changesBetween({ full_name: target.fullName }, { full_name: next.fullName });
    await recordAudit(tx, { action: "user_renamed", targetId: next.id, changes });
  }
  if (next.botOwnerId !== target.botOwnerId && next.botOwnerId !== null) {
    tx.append(botOwnerChanged, { person: { user_id: next.id, bot_owner_id: next.botOwnerId } }, everyone);
    const changes = changesBetween({ bot_owner_id: target.botOwnerId }, { bot_owner_id: next.botOwnerId });
    await recordAudit(tx, { action: "bot_updated", targetId: next.id, changes });
  }
  if (next.email !== target.email) {
    const changes = changesBetween({ email: target.email }, { email: next.email });
    await recordAudit(tx, { action: "user_email_changed", targetId: next.id, changes });
  }
  return next;
}

/** The owner knows the keys of the bots: with a higher role, these would give the lost rights back. */
async function lowerBotsOf(tx: ViewerChange, owner: User): Promise<void> {
  for (const bot of tx.state.get(users).all()) {
    if (bot.botOwnerId !== owner.id || bot.role >= owner.role) continue;
    await changeAccount(tx, bot, { ...bot, role: owner.role });
  }
}

/** The role that an administrator gives. Throws `mustBeOwner` and `onlyOwnerKeepsRole`. */
function parseRole({ state, viewer }: ViewerChange, target: User, role: Role): Role {
  if (role === target.role) return role;
  if (role === roles.owner) checkOwner(viewer);
  if (isOnlyOwner(state, target)) throw new ApiError(errors.onlyOwnerKeepsRole);
  return role;
}

function parseNewEmail({ state, viewer }: ViewerChange, target: User, text: string): string {
  if (!viewer.user.canChangeEmails) throw new ApiError(errors.emailChangeNotAllowed);
  const email = parseFreeEmail(state, text, target);
  const isSame = email.toLowerCase() === target.email.toLowerCase();
  // The addresses of bots are no mailboxes, and one that a person has already may stay.
  if (target.botType === null && !isSame) checkEmailAllowed(state, email);
  return email;
}
