import { updateMessageFlags, updateMessageFlagsForNarrow } from "../../../api/messages/flags.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { type NarrowParameter, parseNarrow } from "../query/narrow/narrow.ts";
import { parseAnchor } from "../query/page/page-request.ts";
import { changeFlags } from "./actions.ts";
import { parseFlag, parseFlagChange } from "./flag.ts";
import { updateFlagsInNarrow } from "./narrow-change.ts";

export const flagRoutes: Route[] = [
  route(updateMessageFlags, async ({ viewer, params }) => {
    const change = parseFlagChange(params.op, params.flag, params.messages);
    const changed = await changeFlags(viewer, change);
    const isUnread = change.flag === "read" && change.op === "remove";
    return {
      messages: changed.messageIds,
      ...(isUnread && { ignored_because_not_subscribed_channels: changed.skippedChannelIds }),
    };
  }),
  route(updateMessageFlagsForNarrow, async ({ viewer, params }) => {
    const flag = parseFlag(params.op, params.flag);
    const request = {
      narrow: parseNarrow((params.narrow ?? []) as NarrowParameter),
      anchor: parseAnchor(params.anchor, params.anchorDate),
      includeAnchor: params.includeAnchor ?? true,
      before: params.numBefore,
      after: params.numAfter,
    };
    const changed = await changeContent(viewer, (tx) => updateFlagsInNarrow(tx, request, flag));
    return {
      processed_count: changed.processedIds.length,
      updated_count: changed.updatedCount,
      first_processed_id: changed.processedIds[0] ?? null,
      last_processed_id: changed.processedIds.at(-1) ?? null,
      found_oldest: changed.foundOldest,
      found_newest: changed.foundNewest,
      ignored_because_not_subscribed_channels: changed.skippedChannelIds,
    };
  }),
];
