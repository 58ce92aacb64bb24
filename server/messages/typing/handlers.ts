import { ApiError, errors } from "../../../api/errors.ts";
import { setMessageEditTypingStatus, setTypingStatus } from "../../../api/messages/typing.ts";
import { changeContent, changeInGroup } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { NotForGroup } from "../../platform/log/grouped-change.ts";
import { type TypingRequest, typeEdit, typeInBegun, typingChange } from "./actions.ts";

export const typingRoutes: Route[] = [
  route(setTypingStatus, async ({ viewer, params }) => {
    const { type = "direct", op, to = [], streamId, topic } = params;
    if (type === "direct" || type === "private") {
      await changeTyping({ viewer, op, place: { userIds: to } });
      return {};
    }
    if (streamId === undefined) throw new ApiError(errors.missingStreamId);
    if (topic === undefined) throw new ApiError(errors.missingTopic);
    await changeTyping({ viewer, op, place: { channelId: streamId, topic } });
    return {};
  }),
  route(setMessageEditTypingStatus, async ({ viewer, params }) => {
    await changeContent(viewer, (tx) => typeEdit(tx, params.op, params.messageId));
    return {};
  }),
];

async function changeTyping(request: TypingRequest): Promise<void> {
  const { viewer, op, place } = request;
  try {
    await changeInGroup(typingChange, request);
  } catch (error) {
    if (!(error instanceof NotForGroup) || !("userIds" in place)) throw error;
    await changeContent(viewer, (tx) => typeInBegun(tx, op, place.userIds));
  }
}
