/**
 * What the module of sessions does with their rows. They are kept here, since each viewer is checked against
 * them.
 */
import {
  deleteSessions,
  deleteSessionsOf,
  hasProofWithin,
  insertSession,
  type ListedSession as Listed,
  listExpiredSessions,
  listSessionsOf,
  lockExpiredSessions,
  updateSessionProof,
  updateSessionToken,
  updateSessionUse,
} from "./session-store.ts";

export type ListedSession = Listed;
export const addSession = insertSession;
export const findSessionsOf = listSessionsOf;
export const removeSessions = deleteSessions;
export const removeSessionsOf = deleteSessionsOf;
export const replaceSessionToken = updateSessionToken;
export const noteSessionUse = updateSessionUse;
export const findExpiredSessions = listExpiredSessions;
export const lockExpired = lockExpiredSessions;
export const hasRecentProof = hasProofWithin;
export const noteSessionProof = updateSessionProof;
