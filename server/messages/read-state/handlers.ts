import {
  getReadReceipts,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
} from "../../../api/messages/read-state.ts";
import { readContent } from "../../people/viewer/read.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { accessChannelForReading } from "../model/topics.ts";
import { term } from "../query/narrow/narrow.ts";
import { accessTopicTerms, markAllRead, markMatchesRead } from "./mark-matches.ts";
import { listReadReceipts } from "./read-receipts.ts";

export const readStateRoutes: Route[] = [
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
  route(getReadReceipts, async ({ state, viewer, params }) => {
    const userIds = await readContent(state, viewer, (tx, current) =>
      listReadReceipts(current, tx, params.messageId),
    );
    return { user_ids: userIds };
  }),
];
