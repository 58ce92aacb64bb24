import { ApiError, errors } from "../../../api/errors.ts";
import type { UserId } from "../../../api/ids.ts";
import { botTypes } from "../../../api/integrations/bots.ts";
import { apiKeys } from "../../people/api-keys.ts";
import { hiddenEmail } from "../../people/email/hidden-email.ts";
import { type User, users } from "../../people/user.ts";
import type { Credential, Viewer } from "../../people/viewer/viewer.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type Session, sessions } from "../sessions/live-sessions.ts";

/**
 * Returns the viewer with these Basic credentials (spec Authentication 1). Throws `malformedApiKey`,
 * `invalidApiKey` or `accountDeactivated`, each of which the caller gets as a 401.
 */
export function authenticate(
  state: OrganizationState,
  keyring: Keyring,
  email: string,
  apiKey: string,
  client: string,
): Viewer {
  const { user, hash } = ownerOf(state, keyring, apiKey);
  if (!isEmailOf(state, user, email.trim().toLowerCase())) throw new ApiError(errors.invalidApiKey);
  if (!user.isActive) throw new ApiError(errors.accountDeactivated);
  return viewerOf(state, user, client, keyOf(user.id, hash));
}

/** Returns the viewer with this key. Throws as `authenticate` does. */
export function authenticateKey(
  state: OrganizationState,
  keyring: Keyring,
  apiKey: string,
  client: string,
): Viewer {
  const { user, hash } = ownerOf(state, keyring, apiKey);
  if (!user.isActive) throw new ApiError(errors.accountDeactivated);
  return viewerOf(state, user, client, keyOf(user.id, hash));
}

/** The person with the session of this token. Throws `sessionEnded` or `accountDeactivated`. */
export function authenticateSession(
  state: OrganizationState,
  keyring: Keyring,
  token: string,
  client: string,
): Viewer {
  const hash = keyring.hashToken(token)?.toString("base64");
  const session = hash === undefined ? undefined : state.get(sessions).find(hash);
  const user = session && state.get(users).byId.get(session.userId);
  if (!session || !user) throw new ApiError(errors.sessionEnded);
  if (!user.isActive) throw new ApiError(errors.accountDeactivated);
  return viewerOf(state, user, client, sessionOf(session));
}

/** A bot of an incoming webhook can send messages and nothing else. */
function viewerOf(state: OrganizationState, user: User, client: string, credential: Credential): Viewer {
  return { state, user, client, credential, isWriteOnly: user.botType === botTypes.incomingWebhook };
}

function keyOf(userId: UserId, hash: string): Credential {
  const check = (state: OrganizationState) => {
    if (hash !== state.get(apiKeys).hashOf(userId)) throw new ApiError(errors.invalidApiKey);
  };
  return { kind: "API key", hash, check };
}

function sessionOf({ id, userId, hash }: Session): Credential {
  const check = (state: OrganizationState) => {
    if (state.get(sessions).find(hash)?.userId !== userId) throw new ApiError(errors.sessionEnded);
  };
  return { kind: "session", id, hash, check };
}

function ownerOf(state: OrganizationState, keyring: Keyring, apiKey: string): { user: User; hash: string } {
  const key = apiKey.trim();
  if (!/^[A-Za-z0-9]{32}$/.test(key)) throw new ApiError(errors.malformedApiKey);
  const hash = keyring.hash(key).toString("base64");
  const userId = state.get(apiKeys).userOf(hash);
  const user = userId === undefined ? undefined : state.get(users).byId.get(userId);
  if (!user) throw new ApiError(errors.invalidApiKey);
  return { user, hash };
}

/** Clients whose user hides the address may know only the one that stands for it. */
function isEmailOf(state: OrganizationState, user: User, email: string): boolean {
  return email === user.email.toLowerCase() || email === hiddenEmail(state, user);
}

/** Changes when anything that `authenticate` reads may have changed. */
export function authenticationVersion(state: OrganizationState): number {
  return state.get(users).version + state.get(apiKeys).version;
}
