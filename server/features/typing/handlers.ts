import { ApiError, errors } from "../../../api/errors.ts";
import { setMessageEditTypingStatus, setTypingStatus } from "../../../api/typing.ts";
import type { Route } from "../../platform/http/handler.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { route } from "../users/route.ts";
import { typeDirectly, typeEdit, typeInChannel } from "./actions.ts";

export function typingRoutes(_services: Services): Route[] {
  return [
    route(setTypingStatus, async ({ state, viewer, params }) => {
      const { type = "direct", op, to = [], streamId, topic } = params;
      if (type === "direct" || type === "private") {
        await runContentChange(state, async (tx) => typeDirectly(tx, currentViewer(viewer), op, to));
        return {};
      }
      if (streamId === undefined) throw new ApiError(errors.missingStreamId);
      if (topic === undefined) throw new ApiError(errors.missingTopic);
      await runContentChange(state, async (tx) =>
        typeInChannel(tx, currentViewer(viewer), op, { channelId: streamId, topic }),
      );
      return {};
    }),
    route(setMessageEditTypingStatus, async ({ state, viewer, params }) => {
      await runContentChange(state, (tx) => typeEdit(tx, currentViewer(viewer), params.op, params.messageId));
      return {};
    }),
  ];
}
