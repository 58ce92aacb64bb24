import { setTimeout as sleep } from "node:timers/promises";
import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { MAX_DEVELOPMENT_USERS } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { matchPassword, readApiKey } from "../../people/credentials.ts";
import { isEmail } from "../../people/names.ts";
import { presentUser } from "../../people/present.ts";
import { type User, users } from "../../people/user.ts";
import type { Credential } from "../../people/viewer/viewer.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { type PasswordCheck, TooManyPasswords, turnOfAccount } from "../../platform/crypto/passwords.ts";
import { networkOf, wideNetworkOf } from "../../platform/http/rate-limit.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { FairQueue, NoPlace } from "../../platform/std/fair-queue.ts";
import { type FailureReason, noteFailure } from "./failures.ts";
import {
  type CountedAttempt,
  countAttempt,
  findStandingOf,
  mayGoAhead,
  noteSuccess,
  takeBack,
} from "./sign-in-limits.ts";
import { upsertKnownNetwork } from "./store.ts";

/** The id that stands for nobody, so that an unknown name asks the database the same questions. */
const NOBODY = 0 as UserId;

/**
 * The questions of attempts to the database, before anything is hashed. When a class signs in at once, or
 * somebody guesses, messages would wait behind all of them. They are short, so many may wait.
 */
const questions = new FairQueue(4, { attempts: { maxWaiting: 512 } });

/**
 * When an attempt is answered that found no place for its hash. By then a password has been looked at that
 * may be looked at before its turn, so the time does not tell which one was.
 */
const NO_PLACE_MS = 1000;

export interface SignInRequest {
  username: string;
  password: string;
  /** The IP address of the client. */
  address: string;
  /** With what the person is signed in, who shows the password again. */
  signedInBy?: Credential["kind"];
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
 * the same time. Throws `tooManyWrongPasswords` after some failures (see `sign-in-limits.ts`), and
 * while too many people sign in.
 *
 * The user is found in memory, and everything else goes by the id. So the database's idea of equal names has
 * no say in who is counted or whose password is read.
 */
export async function signIn(
  state: OrganizationState,
  keyring: Keyring,
  { username, password, ...from }: SignInRequest,
): Promise<PasswordSignIn> {
  const name = username.trim();
  if (!isEmail(name)) throw new ApiError(errors.usernameNotEmail);
  let passwordHash: string | undefined;
  const isRight = async (userId: UserId, turn: PasswordCheck) => {
    passwordHash = await matchPassword(state, userId, password, turn);
    return passwordHash !== undefined;
  };
  const proof = { isRight, refusal: errors.authenticationFailed, reason: "password" } as const;
  const user = await signInBy(state, keyring, { name, ...from }, proof);
  return { user, passwordHash: passwordHash ?? "" };
}

/** What shows that somebody is the user whom they name. */
export interface Proof {
  /** An attempt that it throws at does not count. `turn` says where a password waits. */
  isRight(userId: UserId, turn: PasswordCheck): Promise<boolean>;
  /** The error for a wrong one. */
  refusal: ErrorDeclaration;
  /** What the log says of a wrong one. */
  reason: FailureReason;
}

/**
 * The active user with this email address, if the proof is right and the limits on wrong ones allow it to be
 * looked at. The name is an email address, or empty where there is none.
 */
export async function signInBy(
  state: OrganizationState,
  keyring: Keyring,
  { name, address, signedInBy }: { name: string } & Pick<SignInRequest, "address" | "signedInBy">,
  proof: Proof,
): Promise<User> {
  const { database, organizationId } = state;
  const arrivedAt = performance.now();
  const user = state.get(users).findManaged(name);
  const userId = user?.id ?? NOBODY;
  const network = networkOf(address);
  const wideNetwork = wideNetworkOf(address);
  const networkHash = keyring.hash(`sign-in network ${network} of user ${userId}`);
  const account = user ? `user ${user.id}` : `name ${name.normalize("NFKC").toLowerCase()}`;
  const note = (reason: FailureReason) => noteFailure(state, { reason, address, userId: user?.id });
  const asked = { account, network, wideNetwork, isWithKey: signedInBy === "API key" };
  const { attempt, isKnown } = await inTurn(wideNetwork, async () => {
    const standing = await findStandingOf(state, asked, { userId, networkHash });
    const { isKnown } = standing;
    return { isKnown, attempt: await countAttempt(state, asked, standing, () => note("limit")) };
  });
  // Elsewhere a right password is refused too, and would be looked at for nothing.
  const isUrgent = isKnown || (signedInBy !== undefined && !attempt.refusal);
  const turn: PasswordCheck = {
    lane: attempt.refusal ? "refused" : "open",
    key: wideNetwork,
    ...(isUrgent && { ahead: () => turnAhead(state, userId, attempt) }),
  };
  const isRight = await checkProof(state, attempt, arrivedAt, () => proof.isRight(userId, turn));
  if (!isRight || (attempt.refusal && !isKnown)) {
    note(isRight ? "limit" : proof.reason);
    throw attempt.refusal ?? new ApiError(proof.refusal);
  }
  await noteSuccess(state, attempt);
  const active = activeUser(user);
  await upsertKnownNetwork(database, organizationId, userId, networkHash);
  return active;
}

/** Throws `rateLimitHit` while too many ask. */
async function inTurn<T>(network: string, work: () => Promise<T>): Promise<T> {
  try {
    return await questions.enter("attempts", network, work).result;
  } catch (error) {
    throw error instanceof NoPlace ? new TooManyPasswords() : error;
  }
}

async function turnAhead(state: OrganizationState, userId: UserId, attempt: CountedAttempt) {
  return (await mayGoAhead(state, attempt)) ? turnOfAccount(state.organizationId, userId) : undefined;
}

async function checkProof(
  state: OrganizationState,
  attempt: CountedAttempt,
  arrivedAt: number,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await isRight();
  } catch (error) {
    await takeBack(state, attempt);
    if (!(error instanceof TooManyPasswords)) throw error;
    await sleep(Math.max(0, arrivedAt + NO_PLACE_MS - performance.now()));
    throw attempt.refusal ?? error;
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
