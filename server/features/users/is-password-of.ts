import { isPassword } from "../../platform/crypto/passwords.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { findPasswordHash } from "./store.ts";

/** Takes as long for an unknown email address, and for a user without a password, as for a wrong password. */
export async function isPasswordOf(
  state: OrganizationState,
  email: string,
  password: string,
): Promise<boolean> {
  const hash = await findPasswordHash(state.database, state.organizationId, email);
  return isPassword(hash ?? null, password);
}
