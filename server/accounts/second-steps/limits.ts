/**
 * Limits on guessing codes of second steps, for somebody who has the password. In half an hour an account has
 * five attempts from a network. It has fifty from all networks, and then each one delays the next. A code is
 * counted before it is checked, so that many at once are not all within the limit. Codes that come with an
 * API key count apart, so that who has a key alone shuts no sign-in. They are fewer, since a key lasts, and
 * somebody who has it can go on guessing for months.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { networkOf } from "../../platform/http/rate-limit.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { noteFailure } from "../sign-in/failures.ts";
import {
  type AttemptRule,
  countSignInAttempt,
  deleteSignInAttempts,
  findSignInDelay,
  releaseSignInAttempts,
} from "../sign-in/store.ts";
import { waitOf } from "../sign-in/wait.ts";

const ACCOUNT_IN_NETWORK: AttemptRule = { limit: 5, maxDelaySeconds: null };
const ACCOUNT: AttemptRule = { limit: 50, maxDelaySeconds: 300 };
const ACCOUNT_WITH_KEY: AttemptRule = { limit: 10, maxDelaySeconds: null };

export interface CodeOrigin {
  userId: UserId;
  /** The IP address of the client. */
  address: string;
  /** Whether the request came with an API key, and not to sign in or with a session. */
  isWithKey?: boolean;
}

/** Throws `tooManyWrongCodes` if the code may not be checked. Otherwise returns whether it is right. */
export async function withCodeLimits(
  state: OrganizationState,
  { userId, address, isWithKey = false }: CodeOrigin,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const { database, organizationId } = state;
  const account = `second step of user ${userId}${isWithKey ? " with a key" : ""}`;
  const inNetwork = `${account} in ${networkOf(address)}`;
  try {
    await count(state, inNetwork, ACCOUNT_IN_NETWORK);
    try {
      await count(state, account, isWithKey ? ACCOUNT_WITH_KEY : ACCOUNT);
    } catch (error) {
      await releaseSignInAttempts(database, organizationId, [inNetwork]);
      throw error;
    }
  } catch (error) {
    if (error instanceof ApiError) noteFailure(state, { reason: "limit", address, userId });
    throw error;
  }
  if (await isRight()) {
    await deleteSignInAttempts(database, organizationId, [inNetwork]);
    await releaseSignInAttempts(database, organizationId, [account]);
    return true;
  }
  noteFailure(state, { reason: "second step", address, userId });
  return false;
}

async function count(state: OrganizationState, subject: string, rule: AttemptRule): Promise<void> {
  const { database, organizationId } = state;
  if (await countSignInAttempt(database, organizationId, subject, rule)) return;
  const seconds = await findSignInDelay(database, organizationId, subject);
  throw new ApiError(errors.tooManyWrongCodes, waitOf(seconds));
}
