/**
 * Limits on guessing passwords. They must stop someone who guesses, and not let anyone shut others out.
 *
 * - An account in a network: five attempts, by all who are there.
 * - A network: twenty attempts, so that one password can't be tried for many names.
 * - An account: fifty attempts from all networks, then each one delays the next. This slows many networks.
 *
 * A network from which the person has signed in before has the first limit only. So others can't shut the
 * person out there, whatever they try elsewhere. Where another limit refuses, five wrong passwords more can
 * be tried there, and only the right one is let in. Everybody else gets the same answers after the same work:
 * they do not tell which names are accounts, and who has signed in from where.
 *
 * An attempt that one limit refuses does not count for the next, so that hammering in one network does not
 * reach the account's limit.
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
}

/** An attempt whose password is to be checked. */
export interface CountedAttempt {
  /** What it counts for, and is released from after a success. */
  counted: readonly string[];
  /** What a success makes forgotten. */
  own: readonly string[];
  /** What everybody is answered who has not signed in from this network before. */
  refusal: ApiError<{ retryAfter: number }> | undefined;
}

/**
 * Counts an attempt, and throws `rateLimitHit` if the password may not be checked. It is counted before that,
 * so that many attempts at once are not all within the limit.
 */
export async function countAttempt(
  state: OrganizationState,
  { account, network }: Attempt,
): Promise<CountedAttempt> {
  const { database, organizationId } = state;
  const inNetwork = `${account} in ${network}`;
  const inRefusal = `${inNetwork} despite a refusal`;
  const own = [inNetwork, inRefusal];
  const limits: [string, AttemptRule][] = [
    [inNetwork, ACCOUNT_IN_NETWORK],
    [`network ${network}`, NETWORK],
    [account, ACCOUNT],
  ];
  const counted: string[] = [];
  for (const [subject, rule] of limits) {
    if (await countSignInAttempt(database, organizationId, subject, rule)) {
      counted.push(subject);
      continue;
    }
    await releaseSignInAttempts(database, organizationId, counted);
    const seconds = await findSignInDelay(database, organizationId, subject);
    const refusal = new ApiError(errors.rateLimitHit, { retryAfter: Math.max(1, Math.ceil(seconds)) });
    if (subject === inNetwork) throw refusal;
    const isChecked = await countSignInAttempt(database, organizationId, inRefusal, ACCOUNT_IN_NETWORK);
    if (!isChecked) throw refusal;
    return { counted: [inRefusal], own, refusal };
  }
  return { counted, own, refusal: undefined };
}

/** For an attempt that was counted, and of which nobody knows whether the password was right. */
export async function takeBack(state: OrganizationState, { counted }: CountedAttempt): Promise<void> {
  await releaseSignInAttempts(state.database, state.organizationId, counted);
}

/** The password was right: past failures of this account in this network are forgotten. */
export async function noteSuccess(state: OrganizationState, { counted, own }: CountedAttempt): Promise<void> {
  const { database, organizationId } = state;
  const others = counted.filter((subject) => !own.includes(subject));
  await Promise.all([
    deleteSignInAttempts(database, organizationId, own),
    releaseSignInAttempts(database, organizationId, others),
  ]);
}

export function noteFailure(state: OrganizationState): Promise<void> {
  return deletePastSignInAttempts(state.database, state.organizationId);
}
