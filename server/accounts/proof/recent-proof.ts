import { ApiError, errors } from "../../../api/errors.ts";
import { RECENT_PROOF_MINUTES } from "../../../api/limits.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { checkCode } from "../second-steps/check-code.ts";
import { hasProofWithin, updateSessionProof } from "../sessions/store.ts";
import { checkOwnPassword } from "./own-password.ts";

/** What somebody shows again before they change their second steps. */
export interface ShownAgain {
  password?: string | undefined;
  code?: string | undefined;
}

/**
 * Somebody with another's browser or API key in hand must not change how its owner signs in. So a change of
 * second steps needs the password or a code, with the call or in this session in the last minutes. Throws
 * `recentProofRequired` without one, `wrongPassword` or `wrongSecondStep`, and `rateLimitHit`.
 */
export async function checkRecentProof(
  keyring: Keyring,
  { state, user, credential }: Viewer,
  { password, code }: ShownAgain,
  address: string,
): Promise<void> {
  const { database, organizationId } = state;
  const sessionId = credential?.kind === "session" ? credential.id : undefined;
  if (password !== undefined) {
    await checkOwnPassword(keyring, { state, user }, password, address);
  } else if (code !== undefined) {
    await checkCode(keyring, state, { userId: user.id, code, address });
  } else {
    const isRecent =
      sessionId !== undefined &&
      (await hasProofWithin(database, organizationId, sessionId, RECENT_PROOF_MINUTES));
    if (!isRecent) throw new ApiError(errors.recentProofRequired);
    return;
  }
  if (sessionId !== undefined) await updateSessionProof(database, organizationId, sessionId);
}

/** Whether a change needs no further proof. */
export async function isProofRecent({ state, credential }: Viewer): Promise<boolean> {
  const { database, organizationId } = state;
  return (
    credential?.kind === "session" &&
    hasProofWithin(database, organizationId, credential.id, RECENT_PROOF_MINUTES)
  );
}
