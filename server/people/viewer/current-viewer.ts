import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import { organization } from "../../organization/organization.ts";
import { users } from "../user.ts";
import type { Viewer } from "./viewer.ts";

/**
 * The viewer as of now: the role may have changed since the request was authenticated. Throws
 * `organizationDeactivated` or `accountDeactivated` if that happened since, `invalidApiKey` if the account
 * has a new key, `sessionEnded` if the session has ended or has another token, and what says that a fresh
 * proof no longer counts.
 */
export function currentViewer(viewer: Viewer): Viewer {
  const { state, credential, checkProven } = viewer;
  if (!state.get(organization).isActive) throw new ApiError(errors.organizationDeactivated);
  const user = state.get(users).byId.get(viewer.user.id);
  if (!user?.isActive) throw new ApiError(errors.accountDeactivated);
  credential?.check(state);
  checkProven?.(state);
  return user === viewer.user ? viewer : { ...viewer, user };
}

/**
 * Throws `mustBeAdministrator` for a lower role. Pass `tx.viewer`, so that the check still holds at the
 * commit.
 */
export function checkAdministrator({ user }: Viewer): void {
  if (user.role > roles.administrator) throw new ApiError(errors.mustBeAdministrator);
}

/** Throws `mustBeOwner` for a lower role. Pass `tx.viewer` too. */
export function checkOwner({ user }: Viewer): void {
  if (user.role > roles.owner) throw new ApiError(errors.mustBeOwner);
}

/** The viewer as of now, if still an administrator; else throws `mustBeAdministrator`. */
export function currentAdministrator(viewer: Viewer): Viewer {
  const fresh = currentViewer(viewer);
  checkAdministrator(fresh);
  return fresh;
}

/** Throws `botsNotAccepted` for a bot: what it asks for is for people alone. */
export function checkPerson({ user }: Viewer): void {
  if (user.botType !== null) throw new ApiError(errors.botsNotAccepted);
}

/**
 * Throws `apiKeyRequired` for a request with a session: who has a browser in hand must not get an API key,
 * which works without it.
 */
export function checkNoSession({ credential }: Viewer): void {
  if (credential?.kind === "session") throw new ApiError(errors.apiKeyRequired);
}
