import { ApiError, errors } from "../../../api/errors.ts";
import { type User, users } from "./user.ts";
import type { Viewer } from "./viewer.ts";

/**
 * The users that a request names by id or email, each once. Throws `invalidPrincipal` if one is not active
 * (spec E2).
 */
export function accessPrincipals(viewer: Viewer, principals: readonly (number | string)[]): User[] {
  const all = viewer.state.get(users);
  const found = new Set<User>();
  for (const principal of principals) {
    const user = all.findManaged(principal);
    if (!user?.isActive) throw new ApiError(errors.invalidPrincipal);
    found.add(user);
  }
  return [...found];
}
