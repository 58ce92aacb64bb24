import { ApiError, errors } from "../../../api/errors.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import { signIn } from "../sign-in/sign-in.ts";

/**
 * The hash of the password that somebody shows again. What was a proof of the same call is not hashed once
 * more. Wrong ones count as those of a sign-in, or of proofs with an API key. Throws
 * `wrongPassword`, and `tooManyWrongPasswords` after too many.
 */
export async function checkOwnPassword(
  keyring: Keyring,
  { state, user, credential, hashOfShown }: Pick<Viewer, "state" | "user" | "credential" | "hashOfShown">,
  password: string,
  address: string,
): Promise<string> {
  const known = hashOfShown?.(password);
  if (known !== undefined) return known;
  try {
    const shown = { username: user.email, password, address, signedInBy: credential?.kind ?? "session" };
    const { passwordHash } = await signIn(state, keyring, shown);
    return passwordHash;
  } catch (error) {
    if (error instanceof ApiError && error.declaration.name === errors.authenticationFailed.name)
      throw new ApiError(errors.wrongPassword);
    throw error;
  }
}
