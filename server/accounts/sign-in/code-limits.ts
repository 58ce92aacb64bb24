/**
 * Limits on codes in links that do not work. A code has 256 random bits, so nobody finds one by trying. The
 * limit makes the attempt cheap. A code that works is never refused: a class whose old link was opened twenty
 * times in one network can use the new one at once.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import { networkOf } from "../../platform/http/rate-limit.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { noteFailure } from "./failures.ts";
import { type AttemptRule, countSignInAttempt, findSignInDelay } from "./store.ts";

const WRONG_CODES: AttemptRule = { limit: 20, maxDelaySeconds: null };

/** Counts a code that does not work. Throws `rateLimitHit` past 20 from a network in half an hour. */
export async function countWrongCode(state: OrganizationState, address: string): Promise<void> {
  noteFailure(state, { reason: "link", address });
  const { database, organizationId } = state;
  const subject = `wrong codes from ${networkOf(address)}`;
  if (await countSignInAttempt(database, organizationId, subject, WRONG_CODES)) return;
  const seconds = await findSignInDelay(database, organizationId, subject);
  throw new ApiError(errors.rateLimitHit, { retryAfter: Math.max(1, Math.ceil(seconds)) });
}
