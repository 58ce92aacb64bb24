import { updateMessageFlags, updateMessageFlagsForNarrow } from "../../../api/flags.ts";
import { markAllAsRead, markChannelAsRead, markTopicAsRead } from "../../../api/read-state.ts";
import type { Route } from "../../platform/http/handler.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { accessChannelForReading } from "../messages/model/topics.ts";
import { type NarrowParameter, parseNarrow } from "../messages/query/narrow/narrow.ts";
import { parseAnchor } from "../messages/query/page/page-request.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { route } from "../users/route.ts";
import { updateFlags } from "./actions.ts";
import { parseFlag, parseFlagChange } from "./flag.ts";
import { accessTopicTerms, markAllRead, markMatchesRead, term } from "./mark-read.ts";
import { updateFlagsInNarrow } from "./narrow-change.ts";

export function flagRoutes(_services: Services): Route[] {
  return [
    route(updateMessageFlags, async ({ state, viewer, params }) => {
      const change = parseFlagChange(params.op, params.flag, params.messages);
      const changed = await runContentChange(state, (tx) => updateFlags(tx, currentViewer(viewer), change));
      const isUnread = change.flag === "read" && change.op === "remove";
      return {
        messages: changed.messageIds,
        ...(isUnread && { ignored_because_not_subscribed_channels: changed.skippedChannelIds }),
      };
    }),
    route(updateMessageFlagsForNarrow, async ({ state, viewer, params }) => {
      const flag = parseFlag(params.op, params.flag);
      const request = {
        narrow: parseNarrow((params.narrow ?? []) as NarrowParameter),
        anchor: parseAnchor(params.anchor, params.anchorDate),
        includeAnchor: params.includeAnchor ?? true,
        before: params.numBefore,
        after: params.numAfter,
      };
      const changed = await runContentChange(state, (tx) =>
        updateFlagsInNarrow(tx, currentViewer(viewer), request, flag),
      );
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
    route(markAllAsRead, async ({ viewer }) => {
      await markAllRead(viewer);
      return { complete: true };
    }),
    route(markChannelAsRead, async ({ state, viewer, params }) => {
      const channel = accessChannelForReading(state, viewer, params.streamId);
      await markMatchesRead(viewer, [term("channel", channel.id)]);
      return {};
    }),
    route(markTopicAsRead, async ({ state, viewer, params }) => {
      const channel = accessChannelForReading(state, viewer, params.streamId);
      await markMatchesRead(viewer, await accessTopicTerms(viewer, channel.id, params.topicName));
      return {};
    }),
  ];
}
