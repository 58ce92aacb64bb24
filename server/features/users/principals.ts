import { ApiError, errors } from "../../../api/errors.ts";
import { type User, users } from "./user.ts";
import type { Viewer } from "./viewer.ts";

/** The people that a request names by id or by email, each once; all must be active (spec E2). */
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
