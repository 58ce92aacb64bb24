import { ApiError, errors } from "../../../api/errors.ts";
import { findKnownByEmail, findKnownById } from "../../people/access/access.ts";
import type { User } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";

/**
 * The users that a request names by id or email, each once. Throws `invalidPrincipal` if one is not active
 * (spec E2).
 */
export function accessPrincipals(viewer: Viewer, principals: readonly (number | string)[]): User[] {
  const { state, user: reader } = viewer;
  const found = new Set<User>();
  for (const principal of principals) {
    const user =
      typeof principal === "number"
        ? findKnownById(state, reader, principal)
        : findKnownByEmail(state, reader, principal);
    if (!user?.isActive || user.isSystem) throw new ApiError(errors.invalidPrincipal);
    found.add(user);
  }
  return [...found];
}
