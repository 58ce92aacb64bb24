import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { MAX_DEVELOPMENT_USERS } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { networkOf } from "../../platform/http/rate-limit.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { isPasswordOf, readApiKey } from "../users/credentials.ts";
import { isEmail } from "../users/names.ts";
import { type User, users } from "../users/user.ts";
import { type CountedAttempt, countAttempt, noteFailure, noteSuccess, takeBack } from "./sign-in-limits.ts";
import { isKnownNetwork, upsertKnownNetwork } from "./store.ts";

/** The id that stands for nobody, so that an unknown name asks the database the same questions. */
const NOBODY = 0 as UserId;

export interface SignInRequest {
  username: string;
  password: string;
  /** The IP address of the client. */
  address: string;
}

/**
 * The user with this email address and password. A wrong password and an unknown name get the same answer in
 * the same time. Throws `rateLimitHit` after too many failures (see `sign-in-limits.ts`).
 *
 * The user is found in memory, and everything else goes by the id. So the database's idea of equal names has
 * no say in who is counted or whose password is read.
 */
export async function signIn(
  state: OrganizationState,
  keyring: Keyring,
  { username, password, address }: SignInRequest,
): Promise<User> {
  const name = username.trim();
  if (!isEmail(name)) throw new ApiError(errors.usernameNotEmail);
  const { database, organizationId } = state;
  const user = state.get(users).findManaged(name);
  const userId = user?.id ?? NOBODY;
  const network = networkOf(address);
  const networkHash = keyring.hash(`sign-in network ${network} of user ${userId}`);
  const isKnown = await isKnownNetwork(database, organizationId, userId, networkHash);
  const account = user ? `user ${user.id}` : `name ${name.normalize("NFKC").toLowerCase()}`;
  const attempt = await countAttempt(state, { account, network });
  const isRight = await checkPassword(state, userId, password, attempt);
  if (!isRight || (attempt.refusal && !isKnown)) {
    await noteFailure(state);
    throw attempt.refusal ?? new ApiError(errors.authenticationFailed);
  }
  await noteSuccess(state, attempt);
  const active = activeUser(user);
  await upsertKnownNetwork(database, organizationId, userId, networkHash);
  return active;
}

/** An attempt whose password could not be checked does not count. */
async function checkPassword(
  state: OrganizationState,
  userId: UserId,
  password: string,
  attempt: CountedAttempt,
): Promise<boolean> {
  try {
    return await isPasswordOf(state, userId, password);
  } catch (error) {
    await takeBack(state, attempt);
    throw error;
  }
}

/** The user with this email address, on a development server (spec E11). */
export function findForDevelopment(state: OrganizationState, username: string): User {
  if (!isEmail(username.trim())) throw new ApiError(errors.usernameNotEmail);
  return activeUser(state.get(users).findManaged(username));
}

/** The people who can sign in on a development server, administrators apart from others. */
export function listForDevelopment(state: OrganizationState, baseUrl: string) {
  const people = [...state.get(users).all()]
    .filter(({ isActive, botType }) => isActive && botType === null)
    .sort((one, other) => (one.email < other.email ? -1 : 1));
  const present = (isAdministrator: boolean) =>
    people
      .filter(({ role }) => role <= roles.administrator === isAdministrator)
      .slice(0, MAX_DEVELOPMENT_USERS)
      .map(({ email }) => ({ email, realm_url: baseUrl, realm_uri: baseUrl }));
  return { direct_admins: present(true), direct_users: present(false) };
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
