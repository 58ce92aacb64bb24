import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type CodeOrigin, withCodeLimits } from "./limits.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { kindsOf, type StepKind } from "./second-steps.ts";
import { deleteRecoveryCode, findSecondSteps, findTotpSecret, updateTotpStep } from "./store.ts";
import { stepOf } from "./totp.ts";

const TOTP_CODE = /^\d{6}$/;

/** Which kinds of a second step somebody can show. Empty: the password is enough. */
export async function findKinds(state: OrganizationState, userId: UserId): Promise<StepKind[]> {
  return kindsOf(await findSecondSteps(state.database, state.organizationId, userId));
}

/** The same in the change that starts a session. Throws `secondStepRequired`. */
export async function checkPasswordIsEnough(tx: Change, userId: UserId): Promise<void> {
  const kinds = kindsOf(await findSecondSteps(tx, tx.state.organizationId, userId));
  if (kinds.length > 0) throw new ApiError(errors.secondStepRequired, { kinds });
}

/**
 * Checks the code of an app, or a recovery code, and uses it up. Throws `wrongSecondStep`, and
 * `tooManyWrongCodes` after too many wrong ones.
 */
export async function checkCode(
  keyring: Keyring,
  state: OrganizationState,
  { code, ...origin }: CodeOrigin & { code: string },
): Promise<void> {
  const { userId } = origin;
  const text = code.replace(/\s/g, "");
  const isRight = await withCodeLimits(state, origin, () =>
    TOTP_CODE.test(text)
      ? useTotpCode(keyring, state, userId, text)
      : useRecoveryCode(keyring, state, userId, text),
  );
  if (!isRight) throw new ApiError(errors.wrongSecondStep);
}

/**
 * Checks somebody whose password was right: `code` is what they gave beside it. Throws `secondStepRequired`
 * if they need one and gave none, and what `checkCode` throws. Returns whether there was a second step.
 */
export async function checkSecondStep(
  keyring: Keyring,
  state: OrganizationState,
  { userId, code, address }: { userId: UserId; code: string | undefined; address: string },
): Promise<boolean> {
  const kinds = await findKinds(state, userId);
  if (kinds.length === 0) return false;
  if (code === undefined || code.trim() === "") throw new ApiError(errors.secondStepRequired, { kinds });
  await checkCode(keyring, state, { userId, code, address });
  return true;
}

async function useTotpCode(
  keyring: Keyring,
  { database, organizationId }: OrganizationState,
  userId: UserId,
  code: string,
): Promise<boolean> {
  const totp = await findTotpSecret(database, organizationId, userId);
  if (!totp?.isConfirmed) return false;
  const step = stepOf(keyring.decrypt(totp.secret), code);
  return (
    step !== undefined && updateTotpStep(database, organizationId, userId, { secret: totp.secret, step })
  );
}

function useRecoveryCode(
  keyring: Keyring,
  { database, organizationId }: OrganizationState,
  userId: UserId,
  code: string,
): Promise<boolean> {
  return deleteRecoveryCode(database, organizationId, userId, hashRecoveryCode(keyring, userId, code));
}
