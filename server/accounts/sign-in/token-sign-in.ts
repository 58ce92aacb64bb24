import { ApiError, errors } from "../../../api/errors.ts";
import { isEmail, isSameMailbox } from "../../people/names.ts";
import type { User } from "../../people/user.ts";
import { readUnverifiedClaims, verifyToken } from "../../platform/crypto/json-web-token.ts";
import type { JwtKey } from "../../platform/crypto/jwt-keys.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { signInBy } from "./sign-in.ts";

export interface TokenSignInRequest {
  token: string;
  /** The IP address of the client. */
  address: string;
}

/**
 * The user whose email address a JSON web token claims, if this key signed it. The token is to its address
 * what a password is to a name, so the same limits hold for wrong ones. Throws `tooManyWrongPasswords` past
 * them, and `authenticationFailed` for a bot, and for an address that only looks like the account's in lower
 * case.
 */
export async function signInByToken(
  state: OrganizationState,
  keyring: Keyring,
  key: JwtKey | undefined,
  { token, address }: TokenSignInRequest,
): Promise<User> {
  if (!key) throw new ApiError(errors.jwtNotEnabled);
  if (token === "") throw new ApiError(errors.jwtMissing);
  const { email } = await readUnverifiedClaims(token);
  // The name is part of a key in the table of attempts, so it must not be as long as a token may be.
  const name = typeof email === "string" && isEmail(email.trim()) ? email.trim() : "";
  const isRight = async () => {
    const claims = await verifyToken(token, key);
    if (claims && typeof claims.email !== "string") throw new ApiError(errors.jwtWithoutEmail);
    return claims !== undefined;
  };
  const user = await signInBy(
    state,
    keyring,
    { name, address },
    { isRight, refusal: errors.badJwt, reason: "token" },
  );
  // The signer says who people are. A bot is nobody who signs in, and its key is for those who manage it.
  if (user.botType !== null || !isSameMailbox(user.email, name))
    throw new ApiError(errors.authenticationFailed);
  return user;
}
