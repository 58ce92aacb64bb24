import { ApiError, errors } from "../../../api/errors.ts";
import type { ChannelId, MessageId } from "../../../api/ids.ts";
import { MAX_MESSAGES_A_CALL } from "../../../api/limits.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { fetchPageIds } from "../query/page/page.ts";
import type { PageRequest } from "../query/page/page-request.ts";
import { updateFoundFlags } from "./actions.ts";
import type { FlagChange } from "./flag.ts";

export interface NarrowChange {
  processedIds: readonly MessageId[];
  updatedCount: number;
  foundOldest: boolean;
  foundNewest: boolean;
  skippedChannelIds: ChannelId[];
}

/**
 * Sets or clears a flag of the viewer's on a page of the messages that match a narrow, as `updateFlags`
 * does on given messages.
 */
export async function updateFlagsInNarrow(
  tx: ViewerChange,
  request: PageRequest,
  change: Pick<FlagChange, "op" | "flag">,
): Promise<NarrowChange> {
  const page = await fetchPageIds({ state: tx.state, user: tx.viewer.user }, tx, withinLimit(request));
  const changed = await updateFoundFlags(tx, { ...change, messageIds: page.ids });
  return {
    processedIds: page.ids,
    updatedCount: changed.messageIds.length,
    foundOldest: page.foundOldest,
    foundNewest: page.foundNewest,
    skippedChannelIds: changed.skippedChannelIds,
  };
}

/** A request above the limit is cut to it. The response says how far the work got. */
function withinLimit(request: PageRequest): PageRequest {
  const { includeAnchor } = request;
  if (!includeAnchor && request.before > 0 && request.after > 0) throw new ApiError(errors.anchorExcluded);
  const before = Math.min(request.before, MAX_MESSAGES_A_CALL);
  return { ...request, before, after: Math.min(request.after, MAX_MESSAGES_A_CALL - before) };
}
