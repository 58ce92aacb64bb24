/** Limits on mails that somebody asks for, so that nobody fills another's mailbox. */
import { ApiError, errors } from "../../../api/errors.ts";
import { networkOf } from "../../platform/http/rate-limit.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type AttemptRule, countSignInAttempt, findSignInDelay } from "./store.ts";

const OF_NETWORK: AttemptRule = { limit: 20, maxDelaySeconds: null };
/** A class joins by one link, from one network. */
const BY_LINK: AttemptRule = { limit: 100, maxDelaySeconds: null };
const OF_USER: AttemptRule = { limit: 5, maxDelaySeconds: null };

/** Throws `rateLimitHit` past 20 mails from a network in half an hour, whomever they are for. */
export function countMailFrom(state: OrganizationState, address: string): Promise<void> {
  return count(state, `mails from ${networkOf(address)}`, OF_NETWORK);
}

/** The same past 100 mails by invitation links. */
export function countMailByLink(state: OrganizationState, address: string): Promise<void> {
  return count(state, `mails by links from ${networkOf(address)}`, BY_LINK);
}

/** Throws `rateLimitHit` past 5 mails that an account asks for in half an hour. */
export function countMailOf(state: OrganizationState, userId: number): Promise<void> {
  return count(state, `mails of user ${userId}`, OF_USER);
}

async function count(state: OrganizationState, subject: string, rule: AttemptRule): Promise<void> {
  const { database, organizationId } = state;
  if (await countSignInAttempt(database, organizationId, subject, rule)) return;
  const seconds = await findSignInDelay(database, organizationId, subject);
  throw new ApiError(errors.rateLimitHit, { retryAfter: Math.max(1, Math.ceil(seconds)) });
}
