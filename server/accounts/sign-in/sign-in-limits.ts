/**
 * Limits on guessing passwords. They must stop someone who guesses, and not let anyone shut others out.
 *
 * - An account in a network: five attempts, by all who are there.
 * - A network: twenty attempts, so that one password can't be tried for many names.
 * - An IPv6 /48, which has 65,536 networks: two hundred attempts.
 * - An account: fifty attempts from all networks, then each one delays the next. This slows many networks.
 *
 * A network from which the person has signed in before has the first limit only. So others can't shut the
 * person out there, whatever they try elsewhere. Where another limit refuses, five wrong passwords more can
 * be tried there, and only the right one is let in. Everybody else gets the same answers after the same work:
 * they do not tell which names are accounts, and who has signed in from where.
 *
 * Passwords that are shown again with an API key have a limit of their own in a network: the key may be in
 * other hands than the account, and must not shut the sign-in there. The other limits are the same for both.
 *
 * An attempt that one limit refuses does not count for the next, so that hammering in one network does not
 * reach the account's limit.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import {
  type AttemptRule,
  countSignInAttempt,
  deleteSignInAttempts,
  findSignInDelay,
  findStanding,
  releaseSignInAttempts,
  type Standing,
} from "./store.ts";
import { waitOf } from "./wait.ts";

const ACCOUNT_IN_NETWORK: AttemptRule = { limit: 5, maxDelaySeconds: null };
const NETWORK: AttemptRule = { limit: 20, maxDelaySeconds: null };
const WIDE_NETWORK: AttemptRule = { limit: 200, maxDelaySeconds: null };
const ACCOUNT: AttemptRule = { limit: 50, maxDelaySeconds: 300 };

export interface Attempt {
  /** The same for all spellings of an account's name. */
  account: string;
  network: string;
  /** The same as the network for IPv4. */
  wideNetwork: string;
  /** Whether the password is shown again with an API key. */
  isWithKey: boolean;
}

/** An attempt whose password is to be checked. */
export interface CountedAttempt {
  /** What it counts for, and is released from after a success. */
  counted: readonly string[];
  /** What a success makes forgotten. */
  own: readonly string[];
  /** Counts passwords that are looked at before their turn. */
  ahead: string;
  /** What everybody is answered who has not signed in from this network before. */
  refusal: ApiError<ReturnType<typeof waitOf>> | undefined;
}

/** The subjects that an attempt counts for, with their limits, and what is counted besides. */
function subjectsOf({ account, network, wideNetwork, isWithKey }: Attempt) {
  // All keys of a person count together, since a key alone gets another.
  const inNetwork = `${account}${isWithKey ? " with a key" : ""} in ${network}`;
  const limits: [string, AttemptRule][] = [
    [inNetwork, ACCOUNT_IN_NETWORK],
    [`network ${network}`, NETWORK],
    [account, ACCOUNT],
  ];
  if (wideNetwork !== network) limits.push([`network ${wideNetwork}`, WIDE_NETWORK]);
  const inRefusal = `${inNetwork} despite a refusal`;
  return { inNetwork, limits, inRefusal, ahead: `${inNetwork} ahead of its turn` };
}

/** Where an attempt stands before it is counted. `networkHash` stands for the network of this user. */
export function findStandingOf(
  { database, organizationId }: OrganizationState,
  attempt: Attempt,
  known: { userId: UserId; networkHash: Buffer },
): Promise<Standing> {
  const { limits, inRefusal } = subjectsOf(attempt);
  const subjects = [...limits.map(([subject]) => subject), inRefusal];
  return findStanding(database, organizationId, { ...known, subjects });
}

/**
 * Counts an attempt, and throws `tooManyWrongPasswords` if the password may not be checked. It is counted
 * before that, so that many attempts at once are not all within the limit. What is blocked already
 * costs no statement. `noteRefusal` is called before it throws.
 */
export async function countAttempt(
  state: OrganizationState,
  attempt: Attempt,
  { blocked }: Pick<Standing, "blocked">,
  noteRefusal: () => void,
): Promise<CountedAttempt> {
  const { database, organizationId } = state;
  const { inNetwork, limits, inRefusal, ahead } = subjectsOf(attempt);
  const own = [inNetwork, inRefusal, ahead];
  const counted: string[] = [];
  let refusing = limits.find(([subject]) => blocked.has(subject))?.[0];
  for (const [subject, rule] of refusing === undefined ? limits : []) {
    if (await countSignInAttempt(database, organizationId, subject, rule)) {
      counted.push(subject);
      continue;
    }
    if (counted.length > 0) await releaseSignInAttempts(database, organizationId, counted);
    refusing = subject;
    break;
  }
  if (refusing === undefined) return { counted, own, ahead, refusal: undefined };
  const seconds = blocked.get(refusing) ?? (await findSignInDelay(database, organizationId, refusing));
  const refusal = new ApiError(errors.tooManyWrongPasswords, waitOf(seconds));
  const isAsOthers = refusing !== inNetwork && !blocked.has(inRefusal);
  const countsInRefusal = () => countSignInAttempt(database, organizationId, inRefusal, ACCOUNT_IN_NETWORK);
  if (!isAsOthers || !(await countsInRefusal())) {
    noteRefusal();
    throw refusal;
  }
  return { counted: [inRefusal], own, ahead, refusal };
}

/**
 * Whether the password may be looked at before its turn. It counts at once and is not taken back, so what is
 * found out in this way is bounded, also where the attempt itself gets no turn.
 */
export function mayGoAhead(state: OrganizationState, { ahead }: CountedAttempt): Promise<boolean> {
  return countSignInAttempt(state.database, state.organizationId, ahead, ACCOUNT_IN_NETWORK);
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
