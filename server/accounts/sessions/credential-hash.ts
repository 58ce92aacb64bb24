import { apiKeys } from "../../people/api-keys.ts";
import type { CredentialHashes } from "../../people/viewer/viewer.ts";
import { sessions } from "./live-sessions.ts";

/** For links that end with what they were asked for with. */
export const credentialHash: CredentialHashes = (state, userId, sessionId) => {
  if (sessionId === 0) return state.get(apiKeys).hashOf(userId);
  const session = state
    .get(sessions)
    .ofUser(userId)
    .find(({ id }) => id === sessionId);
  return session && state.get(sessions).find(session.hash)?.hash;
};
