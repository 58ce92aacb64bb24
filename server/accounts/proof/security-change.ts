/**
 * What follows from a change of how an account is entered: an entry in the audit log, and a mail that nobody
 * can switch off.
 */
import type { AuditAction } from "../../../api/administration/audit-log.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { User } from "../../people/user.ts";
import type { Change } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { mailChange, mailRequest } from "./mails.ts";
import type { MailedList } from "./remaining-ways.ts";

type Parts = Pick<Services, "keyring" | "mailer">;

interface SecurityChange {
  action: AuditAction;
  what: string;
  times?: number;
  isRequest?: boolean;
  lists?: readonly MailedList[];
}

/**
 * A change of how somebody's account is entered. `times`: how many entries it is. `isRequest`: more is
 * needed for it to happen. `lists`: what the mail lists besides.
 */
export async function noteSecurityChange(
  tx: Change,
  services: Parts,
  user: User,
  { action, what, times = 1, isRequest = false, lists = [] }: SecurityChange,
): Promise<void> {
  const entry = { action, targetId: user.id, isMailed: true };
  for (let count = 0; count < times; count++) await recordAudit(tx, entry);
  if (isRequest) await mailRequest(tx, services, user, what);
  else await mailChange(tx, services, user, { what, lists });
}
