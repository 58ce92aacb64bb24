import { organizationDeactivated } from "../../api/events/organization.ts";
import type { Change } from "../platform/log/change.ts";
import { everyone } from "../platform/log/log-entry.ts";
import { patchOf } from "../platform/log/projection.ts";
import { endAllQueues } from "../platform/queues/end-queues.ts";
import { recordAudit } from "./audit-log/record.ts";
import { organization } from "./organization.ts";
import { updateDeactivation } from "./store.ts";

/**
 * Deactivates the organization of `tx`. Nobody can call it from then on, and its event queues end; the polls
 * that they hold get the event. Nothing is deleted. Returns false if it was deactivated before.
 */
export async function deactivateOrganization(tx: Change): Promise<boolean> {
  const before = tx.state.get(organization);
  if (!before.isActive) return false;
  await updateDeactivation(tx, before.id, true);
  await endAllQueues(tx);
  await recordAudit(tx, { action: "organization_deactivated" });
  tx.append(organizationDeactivated, { realm_id: before.id }, everyone);
  // An entry of its own: the patch ends the queues, which must have the event by then.
  tx.appendPatch(patchOf(organization, { ...before, isActive: false }));
  return true;
}

/** Lets people call the organization again. Clients register again. Returns false if it was active. */
export async function reactivateOrganization(tx: Change): Promise<boolean> {
  const before = tx.state.get(organization);
  if (before.isActive) return false;
  await updateDeactivation(tx, before.id, false);
  await recordAudit(tx, { action: "organization_reactivated" });
  tx.appendPatch(patchOf(organization, { ...before, isActive: true }));
  return true;
}
