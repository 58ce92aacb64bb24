import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { MAX_DEVELOPMENT_USERS } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { matchPassword, readApiKey } from "../../people/credentials.ts";
import { isEmail } from "../../people/names.ts";
import { presentUser } from "../../people/present.ts";
import { type User, users } from "../../people/user.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { RETRY_AFTER_SECONDS } from "../../platform/crypto/passwords.ts";
import { networkOf } from "../../platform/http/rate-limit.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { WorkQueue } from "../../platform/std/work-queue.ts";
import { type CountedAttempt, countAttempt, noteFailure, noteSuccess, takeBack } from "./sign-in-limits.ts";
import { isKnownNetwork, upsertKnownNetwork } from "./store.ts";

/** The id that stands for nobody, so that an unknown name asks the database the same questions. */
const NOBODY = 0 as UserId;

/**
 * Sign-ins by password. When a class signs in at once, all of them would ask the database first, and messages
 * would wait behind their questions. More than a few at once gain nothing, since they wait for the hashing.
 */
const attempts = new WorkQueue(4, 64);

export interface SignInRequest {
  username: string;
  password: string;
  /** The IP address of the client. */
  address: string;
}

/** Where somebody signed in: the IP address, and what the program says that it is. */
export interface SignInOrigin {
  address: string;
  device: string;
}

/** A user who has signed in by password, with the hash of that password. */
export interface PasswordSignIn {
  user: User;
  passwordHash: string;
}

/**
 * The user with this email address and password. A wrong password and an unknown name get the same answer in
 * the same time. Throws `rateLimitHit` after too many failures (see `sign-in-limits.ts`), and
 * while too many people sign in.
 *
 * The user is found in memory, and everything else goes by the id. So the database's idea of equal names has
 * no say in who is counted or whose password is read.
 */
export async function signIn(
  state: OrganizationState,
  keyring: Keyring,
  { username, password, address }: SignInRequest,
): Promise<PasswordSignIn> {
  const name = username.trim();
  if (!isEmail(name)) throw new ApiError(errors.usernameNotEmail);
  let passwordHash: string | undefined;
  const isRight = async (userId: UserId) => {
    passwordHash = await matchPassword(state, userId, password);
    return passwordHash !== undefined;
  };
  const proof = { isRight, refusal: errors.authenticationFailed };
  const user = attempts.run(() => signInBy(state, keyring, { name, address }, proof));
  if (!user) throw new ApiError(errors.rateLimitHit, { retryAfter: RETRY_AFTER_SECONDS });
  return { user: await user, passwordHash: passwordHash ?? "" };
}

/** What shows that somebody is the user whom they name. */
export interface Proof {
  /** An attempt that it throws at does not count. */
  isRight(userId: UserId): Promise<boolean>;
  /** The error for a wrong one. */
  refusal: ErrorDeclaration;
}

/**
 * The active user with this email address, if the proof is right and the limits on wrong ones allow it to be
 * looked at. The name is an email address, or empty where there is none.
 */
export async function signInBy(
  state: OrganizationState,
  keyring: Keyring,
  { name, address }: { name: string; address: string },
  proof: Proof,
): Promise<User> {
  const { database, organizationId } = state;
  const user = state.get(users).findManaged(name);
  const userId = user?.id ?? NOBODY;
  const network = networkOf(address);
  const networkHash = keyring.hash(`sign-in network ${network} of user ${userId}`);
  const isKnown = await isKnownNetwork(database, organizationId, userId, networkHash);
  const account = user ? `user ${user.id}` : `name ${name.normalize("NFKC").toLowerCase()}`;
  const attempt = await countAttempt(state, { account, network });
  const isRight = await checkProof(state, userId, proof, attempt);
  if (!isRight || (attempt.refusal && !isKnown)) {
    await noteFailure(state);
    throw attempt.refusal ?? new ApiError(proof.refusal);
  }
  await noteSuccess(state, attempt);
  const active = activeUser(user);
  await upsertKnownNetwork(database, organizationId, userId, networkHash);
  return active;
}

async function checkProof(
  state: OrganizationState,
  userId: UserId,
  proof: Proof,
  attempt: CountedAttempt,
): Promise<boolean> {
  try {
    return await proof.isRight(userId);
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

/** The account of somebody who has just signed in, as they see it. */
export function presentProfile(state: OrganizationState, user: User) {
  return presentUser(state, user, { clientGravatar: false, profileData: false, reader: user });
}

function activeUser(user: User | undefined): User {
  if (!user) throw new ApiError(errors.authenticationFailed);
  if (!user.isActive) throw new ApiError(errors.userDeactivated);
  return user;
}
