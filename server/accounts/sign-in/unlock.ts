import type { UserId } from "../../../api/ids.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { networkOf, wideNetworkOf } from "../../platform/http/rate-limit.ts";
import type { Change } from "../../platform/log/change.ts";
import { deleteAttemptsOfAccount } from "./store.ts";

/**
 * Forgets the wrong passwords and codes that count against an account, from whatever network they came. With
 * an IP address, what counts against its network for all accounts is forgotten too. Returns whether there was
 * any, and only then there is an entry in the audit log.
 */
export async function unlockAccount(
  tx: Change,
  userId: UserId,
  address: string | undefined,
): Promise<boolean> {
  const { organizationId } = tx.state;
  const ofNetwork: string[] = [];
  if (address !== undefined) {
    const network = networkOf(address);
    ofNetwork.push(`network ${network}`, `network ${wideNetworkOf(address)}`, `wrong codes from ${network}`);
  }
  const count = await deleteAttemptsOfAccount(tx, organizationId, userId, ofNetwork);
  if (count > 0) await recordAudit(tx, { action: "sign_in_unlocked", targetId: userId });
  return count > 0;
}
