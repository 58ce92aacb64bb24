import { ApiError, errors } from "../../../api/errors.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { apiKeys } from "./api-keys.ts";
import { users } from "./user.ts";
import type { Viewer } from "./viewer.ts";

/** Who is calling with these Basic credentials (spec Authentication 1); throws the 401 that the caller should see. */
export function authenticate(
  state: OrganizationState,
  keyring: Keyring,
  email: string,
  apiKey: string,
  client: string,
): Viewer {
  const key = apiKey.trim();
  if (!/^[A-Za-z0-9]{32}$/.test(key)) throw new ApiError(errors.malformedApiKey);
  const userId = state.get(apiKeys).userOf(keyring.hash(key).toString("base64"));
  const user = userId === undefined ? undefined : state.get(users).byId.get(userId);
  if (!user || user.email.toLowerCase() !== email.trim().toLowerCase())
    throw new ApiError(errors.invalidApiKey);
  if (!user.isActive) throw new ApiError(errors.accountDeactivated);
  return { state, user, client };
}

/** Changes when anything that `authenticate` reads may have changed. */
export function authenticationVersion(state: OrganizationState): number {
  return state.get(users).version + state.get(apiKeys).version;
}
