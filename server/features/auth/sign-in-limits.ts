/**
 * Limits on guessing passwords. They must stop someone who guesses, and not let anyone shut others out.
 *
 * - An account in a network: five attempts, by all who are there.
 * - A network: twenty attempts, so that one password can't be tried for many names.
 * - An account: fifty attempts from all networks, then each one delays the next. This slows many networks.
 *
 * A network from which the person has signed in before has the first limit only. So others can't shut the
 * person out there, whatever they try elsewhere. An attempt that one limit refuses does not count for the
 * next, so that hammering in one network does not reach the account's limit.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import {
  type AttemptRule,
  countSignInAttempt,
  deletePastSignInAttempts,
  deleteSignInAttempts,
  findSignInDelay,
  releaseSignInAttempts,
} from "./store.ts";

const ACCOUNT_IN_NETWORK: AttemptRule = { limit: 5, maxDelaySeconds: null };
const NETWORK: AttemptRule = { limit: 20, maxDelaySeconds: null };
const ACCOUNT: AttemptRule = { limit: 50, maxDelaySeconds: 300 };

export interface Attempt {
  /** The same for all spellings of an account's name. */
  account: string;
  network: string;
  /** Whether the person has signed in from this network before. */
  isKnown: boolean;
}

/**
 * Counts an attempt, and throws `rateLimitHit` if a limit refuses it. It is counted before the password is
 * checked, so that many attempts at once are not all within the limit.
 */
export async function countAttempt(state: OrganizationState, attempt: Attempt): Promise<void> {
  const { database, organizationId } = state;
  const counted: string[] = [];
  for (const [subject, rule] of limitsOf(attempt)) {
    if (await countSignInAttempt(database, organizationId, subject, rule)) {
      counted.push(subject);
      continue;
    }
    await releaseSignInAttempts(database, organizationId, counted);
    const seconds = await findSignInDelay(database, organizationId, subject);
    throw new ApiError(errors.rateLimitHit, { retryAfter: Math.max(1, Math.ceil(seconds)) });
  }
}

/** For an attempt that was counted, and of which nobody knows whether the password was right. */
export async function takeBack(state: OrganizationState, attempt: Attempt): Promise<void> {
  const subjects = limitsOf(attempt).map(([subject]) => subject);
  await releaseSignInAttempts(state.database, state.organizationId, subjects);
}

/** The password was right: past failures of this account in this network are forgotten. */
export async function noteSuccess(state: OrganizationState, attempt: Attempt): Promise<void> {
  const [[own], ...others] = limitsOf(attempt);
  const subjects = others.map(([subject]) => subject);
  await Promise.all([
    deleteSignInAttempts(state.database, state.organizationId, own),
    releaseSignInAttempts(state.database, state.organizationId, subjects),
  ]);
}

export function noteFailure(state: OrganizationState): Promise<void> {
  return deletePastSignInAttempts(state.database, state.organizationId);
}

/** The subjects that an attempt counts for, in order. The first one is the account in its network. */
function limitsOf({
  account,
  network,
  isKnown,
}: Attempt): [[string, AttemptRule], ...[string, AttemptRule][]] {
  const own: [string, AttemptRule] = [`${account} in ${network}`, ACCOUNT_IN_NETWORK];
  return isKnown ? [own] : [own, [`network ${network}`, NETWORK], [account, ACCOUNT]];
}
