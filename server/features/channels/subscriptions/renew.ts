import type { ChannelId } from "../../../../api/ids.ts";
import type { Change } from "../../../platform/log/change.ts";
import { nobody } from "../../../platform/log/log-entry.ts";
import { replaceSubscriptions } from "../store.ts";

/**
 * Ends every subscription to a channel and begins it anew, at one place in the log: whatever was received stays so, but it is
 * from before the present subscription, and so counts as read. Nobody hears of it.
 */
export async function renewSubscriptions(tx: Change, channelId: ChannelId): Promise<void> {
  await replaceSubscriptions(tx, tx.state.organizationId, channelId, await tx.positionRef());
  // Events at the mark itself are in neither subscription, so what stands there must be for nobody.
  tx.appendRaw({ type: "subscriptions_renewed" }, nobody);
}
