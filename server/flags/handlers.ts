import { updateMessageFlags } from "../../api/flags.ts";
import { changeContent } from "../events/transaction.ts";
import { type Route, route } from "../http/handler.ts";
import type { Services } from "../services.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { updateFlags } from "./actions.ts";
import { parseFlagChange } from "./flag.ts";

export function flagRoutes(_services: Services): Route[] {
  return [
    route(updateMessageFlags, async ({ live, viewer, params }) => {
      const change = parseFlagChange(params.op, params.flag, params.messages);
      const changed = await changeContent(live, (tx) => updateFlags(tx, currentViewer(viewer), change));
      const isUnread = change.flag === "read" && change.op === "remove";
      return {
        messages: changed.messageIds,
        ...(isUnread && { ignored_because_not_subscribed_channels: changed.skippedChannelIds }),
      };
    }),
  ];
}
