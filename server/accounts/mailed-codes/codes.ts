import type { UserId } from "../../../api/ids.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Database, Queryable } from "../../platform/db/database.ts";
import { definePeriodicJob, type Run } from "../../platform/jobs/job.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import {
  deleteCodesOf,
  deleteExpiredCodes,
  deletePastAskedMails,
  findCode,
  insertCode,
  type MailedCode,
  type Purpose,
} from "./store.ts";

/** The link was used, has expired, or never was one. */
export class CodeEnded extends Error {}

/** A mailbox can be read by others later, so the link for another password works for a short time. */
export const CODE_HOURS: Record<Purpose, number> = { password: 1, email: 24, "sign-up": 24 };
/** A link from the operator goes from hand to hand, so it takes longer to arrive. */
export const OPERATOR_LINK_HOURS = 24;

/**
 * Whether what was asked for then is still wanted. A job that makes a link may have waited for a process with
 * mail settings. `askedAt`: jobs of older releases have none, and were due when they were asked for.
 */
export function isStillWanted(
  purpose: Purpose,
  askedAt: number | undefined,
  { dueAt }: Pick<Run, "dueAt">,
): boolean {
  return Date.now() - (askedAt ?? dueAt.getTime()) < CODE_HOURS[purpose] * 3600 * 1000;
}

/** Makes a link that works once. */
export async function createCode(
  tx: Queryable,
  keyring: Keyring,
  { organizationId }: OrganizationState,
  given: Omit<MailedCode, "isByOperator"> & { isByOperator?: boolean },
  site: string,
): Promise<string> {
  const token = keyring.newToken();
  const code: MailedCode = { isByOperator: false, ...given };
  const hours = code.isByOperator ? OPERATOR_LINK_HOURS : CODE_HOURS[code.purpose];
  await insertCode(tx, organizationId, code, { tokenHash: keyring.hash(token), hours });
  return `${site}/${code.purpose === "password" ? "reset" : "verify"}/${token}`;
}

/** What a link is for. Looking changes nothing, so programs that look at links in mail do no harm. */
export async function lookUpCode(
  { keyring }: { keyring: Keyring },
  state: OrganizationState,
  text: string,
): Promise<(MailedCode & { tokenHash: Buffer }) | undefined> {
  const tokenHash = keyring.hashToken(text);
  if (!tokenHash) return undefined;
  const code = await findCode(state.database, state.organizationId, tokenHash);
  return code && { ...code, tokenHash };
}

/** After each change of how an account is entered: links that were mailed before it must not undo it. */
export async function endCodesOfLogin(tx: Change, userId: UserId): Promise<void> {
  await deleteCodesOf(tx, tx.state.organizationId, userId, ["password", "email"]);
}

export const forgetExpiredCodes = definePeriodicJob({
  name: "forget_expired_codes",
  schedule: "37 * * * *",
  async run({ database }: { database: Database }) {
    await deleteExpiredCodes(database);
    await deletePastAskedMails(database);
  },
});
