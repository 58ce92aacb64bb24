import { ApiError, errors } from "../../../api/errors.ts";
import { setMessageEditTypingStatus, setTypingStatus } from "../../../api/messages/typing.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { typeDirectly, typeEdit, typeInChannel } from "./actions.ts";

export const typingRoutes: Route[] = [
  route(setTypingStatus, async ({ viewer, params }) => {
    const { type = "direct", op, to = [], streamId, topic } = params;
    if (type === "direct" || type === "private") {
      await changeContent(viewer, (tx) => typeDirectly(tx, op, to));
      return {};
    }
    if (streamId === undefined) throw new ApiError(errors.missingStreamId);
    if (topic === undefined) throw new ApiError(errors.missingTopic);
    await changeContent(viewer, async (tx) => typeInChannel(tx, op, { channelId: streamId, topic }));
    return {};
  }),
  route(setMessageEditTypingStatus, async ({ viewer, params }) => {
    await changeContent(viewer, (tx) => typeEdit(tx, params.op, params.messageId));
    return {};
  }),
];
