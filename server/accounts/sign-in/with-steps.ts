import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { checkSecondStep } from "../second-steps/check-code.ts";
import { type PasswordSignIn, type SignInRequest, signIn } from "./sign-in.ts";

/**
 * The person with this password and, if they have a second step, this code. Everything that takes both at
 * once asks it here. Throws what `signIn` and `checkSecondStep` throw, in this order: nobody learns of a
 * second step without the password.
 */
export async function signInWithSteps(
  state: OrganizationState,
  keyring: Keyring,
  { code, ...given }: SignInRequest & { code?: string | undefined },
): Promise<PasswordSignIn & { by: "password" | "second step" }> {
  const signedIn = await signIn(state, keyring, given);
  const userId = signedIn.user.id;
  const hasShown = await checkSecondStep(keyring, state, { userId, code, address: given.address });
  return { ...signedIn, by: hasShown ? "second step" : "password" };
}
