/**
 * Sign-ins on the page that wait for a second step. The browser has a random token in a cookie. The row of
 * its keyed hash says whose password was right. It works once, for ten minutes.
 */
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TokenCookie } from "../../platform/http/session-cookie.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import {
  deleteExpiredSignIns,
  deletePendingSignIn,
  findPendingSignIn,
  insertPendingSignIn,
  type PendingSignIn as Row,
} from "./pending-store.ts";

export type PendingSignIn = Row;

export async function rememberSignIn(
  keyring: Keyring,
  { database, organizationId }: OrganizationState,
  signIn: PendingSignIn,
  cookie: TokenCookie,
): Promise<void> {
  const token = keyring.newToken();
  await insertPendingSignIn(database, organizationId, keyring.hash(token), signIn);
  cookie.set(token);
}

export async function findSignIn(
  keyring: Keyring,
  { database, organizationId }: OrganizationState,
  { token }: TokenCookie,
): Promise<PendingSignIn | undefined> {
  const hash = keyring.hashToken(token ?? "");
  return hash && findPendingSignIn(database, organizationId, hash);
}

/** false: it was used meanwhile, or has expired. */
export async function useSignIn(
  keyring: Keyring,
  { database, organizationId }: OrganizationState,
  { token }: TokenCookie,
): Promise<boolean> {
  const hash = keyring.hashToken(token ?? "");
  return hash !== undefined && deletePendingSignIn(database, organizationId, hash);
}

export const forgetPendingSignIns = definePeriodicJob({
  name: "forget_pending_sign_ins",
  schedule: "*/10 * * * *",
  async run({ database }: { database: Database }) {
    await deleteExpiredSignIns(database);
  },
});
