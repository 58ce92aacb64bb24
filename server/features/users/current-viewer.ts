import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import { users } from "./user.ts";
import type { Viewer } from "./viewer.ts";

/**
 * The viewer as they are in memory now, for what is decided some time after they were authenticated: their role may have
 * changed since. Throws for someone who has been deactivated.
 */
export function currentViewer(viewer: Viewer): Viewer {
  const user = viewer.state.get(users).byId.get(viewer.user.id);
  if (!user?.isActive) throw new ApiError(errors.accountDeactivated);
  return user === viewer.user ? viewer : { ...viewer, user };
}

/** For what only administrators may do. Pass `tx.viewer`, so that it still holds at the commit. */
export function checkAdministrator({ user }: Viewer): void {
  if (user.role > roles.administrator) throw new ApiError(errors.mustBeAdministrator);
}

/** The viewer as they are in memory now, who must still be an administrator. */
export function currentAdministrator(viewer: Viewer): Viewer {
  const fresh = currentViewer(viewer);
  checkAdministrator(fresh);
  return fresh;
}
