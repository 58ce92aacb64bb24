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

/** The same for what only administrators may do; throws for someone who is none any more. */
export function currentAdministrator(viewer: Viewer): Viewer {
  const fresh = currentViewer(viewer);
  if (fresh.user.role > roles.administrator) throw new ApiError(errors.mustBeAdministrator);
  return fresh;
}
