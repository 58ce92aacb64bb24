import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Outcome } from "./subscribe.ts";

/**
 * Records that the viewer subscribed or unsubscribed others: one entry for a call, however many people and
 * channels it named. What people do for themselves is not recorded.
 */
export async function recordOthers(
  tx: ViewerChange,
  action: "subscribers_added" | "subscribers_removed",
  outcomes: readonly Outcome[],
): Promise<void> {
  const isOther = ({ id }: { id: number }) => id !== tx.viewer.user.id;
  const concerned = outcomes.filter(({ changed }) => changed.some(isOther));
  if (concerned.length === 0) return;
  const channelIds = concerned.map(({ channel }) => channel.id);
  const others = concerned.flatMap(({ changed }) => changed.filter(isOther).map(({ id }) => id));
  const userIds = [...new Set(others)].sort((a, b) => a - b);
  const fields = { user_ids: userIds, stream_ids: channelIds.length > 1 ? channelIds : undefined };
  const isAdded = action === "subscribers_added";
  await recordAudit(tx, {
    action,
    targetId: channelIds.length === 1 ? channelIds[0] : undefined,
    changes: isAdded ? changesBetween({}, fields) : changesBetween(fields, {}),
  });
}
