import { addReaction as addEndpoint, removeReaction as removeEndpoint } from "../../../api/reactions.ts";
import type { Route } from "../../platform/http/handler.ts";
import { changeContent } from "../users/change.ts";
import { route } from "../users/route.ts";
import { addReaction, removeReaction } from "./actions.ts";

export const reactionRoutes: Route[] = [
  route(addEndpoint, async ({ viewer, params }) => {
    const { messageId, emojiName: name, emojiCode: code, reactionType: type } = params;
    await changeContent(viewer, (tx) => addReaction(tx, messageId, { name, code, type }));
    return {};
  }),
  route(removeEndpoint, async ({ viewer, params }) => {
    const { messageId, emojiName: name, emojiCode: code, reactionType: type } = params;
    await changeContent(viewer, (tx) => removeReaction(tx, messageId, { name, code, type }));
    return {};
  }),
];
