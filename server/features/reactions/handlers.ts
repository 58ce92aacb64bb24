import { addReaction as addEndpoint, removeReaction as removeEndpoint } from "../../../api/reactions.ts";
import type { Route } from "../../platform/http/handler.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { route } from "../users/route.ts";
import { addReaction, removeReaction } from "./actions.ts";

export function reactionRoutes(_services: Services): Route[] {
  return [
    route(addEndpoint, async ({ state, viewer, params }) => {
      const { messageId, emojiName: name, emojiCode: code, reactionType: type } = params;
      await runContentChange(state, (tx) =>
        addReaction(tx, currentViewer(viewer), messageId, { name, code, type }),
      );
      return {};
    }),
    route(removeEndpoint, async ({ state, viewer, params }) => {
      const { messageId, emojiName: name, emojiCode: code, reactionType: type } = params;
      await runContentChange(state, (tx) =>
        removeReaction(tx, currentViewer(viewer), messageId, { name, code, type }),
      );
      return {};
    }),
  ];
}
