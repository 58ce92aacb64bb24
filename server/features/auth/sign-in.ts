import { ApiError, errors } from "../../../api/errors.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { isPasswordOf, readApiKey } from "../users/credentials.ts";
import { isEmail } from "../users/names.ts";
import { type User, users } from "../users/user.ts";
import { countSignInAttempt, deletePastSignInAttempts, deleteSignInAttempts } from "./store.ts";

const MAX_FAILURES = 5;
const WINDOW_SECONDS = 1800;

/**
 * The user with this email address and password. A wrong password and an unknown name get the same answer in
 * the same time. After five failures for a name, on any nodes, it throws `rateLimitHit` until half an hour
 * after the first failure. A success resets the count.
 */
export async function signIn(state: OrganizationState, username: string, password: string): Promise<User> {
  const name = username.trim();
  if (!isEmail(name)) throw new ApiError(errors.usernameNotEmail);
  const { database, organizationId } = state;
  const countedName = name.toLowerCase();
  // Counted before the password is checked, so that many attempts at once are not all within the limit.
  const { attempts, secondsLeft } = await countSignInAttempt(
    database,
    organizationId,
    countedName,
    WINDOW_SECONDS,
  );
  if (attempts > MAX_FAILURES)
    throw new ApiError(errors.rateLimitHit, { retryAfter: Math.max(1, secondsLeft) });
  if (!(await isPasswordOf(state, name, password))) {
    await deletePastSignInAttempts(database, organizationId, WINDOW_SECONDS);
    throw new ApiError(errors.authenticationFailed);
  }
  await deleteSignInAttempts(database, organizationId, countedName);
  return activeUser(state.get(users).findManaged(name));
}

/** The user with this email address, on a development server (spec E11). */
export function findForDevelopment(state: OrganizationState, username: string): User {
  if (!isEmail(username.trim())) throw new ApiError(errors.usernameNotEmail);
  return activeUser(state.get(users).findManaged(username));
}

/** The credentials for further requests of a client. */
export async function presentApiKey(state: OrganizationState, keyring: Keyring, user: User) {
  return { api_key: await readApiKey(state, keyring, user.id), email: user.email, user_id: user.id };
}

function activeUser(user: User | undefined): User {
  if (!user) throw new ApiError(errors.authenticationFailed);
  if (!user.isActive) throw new ApiError(errors.userDeactivated);
  return user;
}
