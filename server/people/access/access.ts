import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { canSeeEmail } from "../email/email-visibility.ts";
import { parseHiddenEmail } from "../email/hidden-email.ts";
import { type User, users } from "../user.ts";
import { checkAdministrator, checkOwner } from "../viewer/current-viewer.ts";
import type { Viewer } from "../viewer/viewer.ts";
import { canAccessUser } from "./user-access.ts";

/** A user as a request names one. */
export type NamedUser = { userId: number } | { email: string };

/**
 * The person or bot with this id, active or not, or an account of the service, if the viewer may know of it.
 * Throws `noSuchUser`.
 */
export function accessUser({ state, user: reader }: Viewer, id: number): User {
  const user = findKnownById(state, reader, id);
  if (!user) throw new ApiError(errors.noSuchUser);
  return user;
}

/** The same without the accounts of the service, which nobody manages. */
export function accessManagedUser(viewer: Viewer, id: number): User {
  const user = accessUser(viewer, id);
  if (user.isSystem) throw new ApiError(errors.noSuchUser);
  return user;
}

/** The user with this id, if the reader may know of them. */
export function findKnownById(state: OrganizationState, reader: User, id: number): User | undefined {
  const user = state.get(users).find(id);
  return canAccessUser(state, reader, user) ? user : undefined;
}

/**
 * A person or bot, active or not, whose account the viewer may change. Throws `mustBeAdministrator` or
 * `noSuchUser`, and `mustBeOwner` for an owner whom an administrator would change.
 */
export function accessUserToChange(viewer: Viewer, named: NamedUser): User {
  checkAdministrator(viewer);
  const user = "userId" in named ? accessUser(viewer, named.userId) : accessUserByEmail(viewer, named.email);
  if (user.isSystem) throw new ApiError(errors.noSuchUser);
  if (user.role === roles.owner) checkOwner(viewer);
  return user;
}

/** Whether the organization has no other active person who owns it. */
export function isOnlyOwner(state: OrganizationState, user: User): boolean {
  return isActiveOwner(user) && [...state.get(users).all()].filter(isActiveOwner).length === 1;
}

function isActiveOwner(user: User): boolean {
  return user.isActive && user.role === roles.owner && user.botType === null;
}

/** Whether the account may see the real address of another; false for an account that is not there. */
export function seesEmailOf(
  { state, user }: Pick<Viewer, "state"> & { user: { id: UserId } },
  id: number,
): boolean {
  const [reader, target] = [state.get(users).find(user.id), state.get(users).find(id)];
  return reader !== undefined && target !== undefined && canSeeEmail(reader, target);
}

/** The person or bot whom the viewer knows by this address: see `findKnownByEmail`. Throws `noSuchUser`. */
export function accessUserByEmail({ state, user: reader }: Viewer, email: string): User {
  const user = findKnownByEmail(state, reader, email);
  if (!user) throw new ApiError(errors.noSuchUser);
  return user;
}

/**
 * The user with this address: the real one, if the reader may see it, or the one that stands for it. So
 * nobody can find out by trying whom a hidden address belongs to.
 */
export function findKnownByEmail(state: OrganizationState, reader: User, email: string): User | undefined {
  const user = findByShownEmail(state, reader, email);
  return canAccessUser(state, reader, user) ? user : undefined;
}

function findByShownEmail(state: OrganizationState, reader: User, email: string): User | undefined {
  const all = state.get(users);
  const id = parseHiddenEmail(state, email.trim());
  if (id !== undefined) return all.find(id) ?? all.findByEmail(email);
  const user = all.findByEmail(email);
  return user && canSeeEmail(reader, user) ? user : undefined;
}
