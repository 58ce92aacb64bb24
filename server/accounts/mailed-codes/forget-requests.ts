import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { cancelWith } from "../../platform/jobs/enqueue.ts";
import { mailPasswordReset } from "../password-reset/reset-password.ts";
import { mailSignUp } from "../sign-up/sign-up.ts";

/** Removes the jobs that would mail a link to one of the addresses, and those that could not. */
export async function forgetRequestsBy(
  db: Queryable,
  organizationId: OrganizationId,
  addresses: readonly string[],
): Promise<void> {
  for (const email of addresses)
    await cancelWith(db, [mailSignUp, mailPasswordReset], { organizationId, email: email.toLowerCase() });
}
