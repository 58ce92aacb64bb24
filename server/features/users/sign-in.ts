import { ApiError, errors } from "../../../api/errors.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { isPassword } from "../../platform/crypto/passwords.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { isEmail } from "./names.ts";
import {
  countSignInAttempt,
  deletePastSignInAttempts,
  deleteSignInAttempts,
  findEncryptedApiKey,
  findPasswordHash,
} from "./store.ts";
import { type User, users } from "./user.ts";

const MAX_FAILURES = 5;
const WINDOW_SECONDS = 1800;

/**
 * The user with this email address and password. A wrong password and an unknown name get the same answer in the same time.
 * After five failures for a name nobody signs in under it until half an hour after the first, whichever node they ask; a
 * success forgets the failures.
 */
export async function signIn(state: OrganizationState, username: string, password: string): Promise<User> {
  const name = username.trim();
  if (!isEmail(name)) throw new ApiError(errors.usernameNotEmail);
  const { database, organizationId } = state;
  const countedName = name.toLowerCase();
  // Counted before the password is looked at, so that many attempts at once are not all within the limit.
  const { attempts, secondsLeft } = await countSignInAttempt(
    database,
    organizationId,
    countedName,
    WINDOW_SECONDS,
  );
  if (attempts > MAX_FAILURES)
    throw new ApiError(errors.rateLimitHit, { retryAfter: Math.max(1, secondsLeft) });
  const hash = await findPasswordHash(database, organizationId, name);
  if (!(await isPassword(hash ?? null, password))) {
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

/** What a client signs its calls with from now on. */
export async function presentApiKey(state: OrganizationState, keyring: Keyring, user: User) {
  const encrypted = await findEncryptedApiKey(state.database, state.organizationId, user.id);
  if (!encrypted) throw new Error(`user ${user.id} has no API key`);
  return { api_key: keyring.decrypt(encrypted), email: user.email, user_id: user.id as number };
}

function activeUser(user: User | undefined): User {
  if (!user) throw new ApiError(errors.authenticationFailed);
  if (!user.isActive) throw new ApiError(errors.userDeactivated);
  return user;
}
