import {
  addReaction as addReactionEndpoint,
  removeReaction as removeReactionEndpoint,
} from "../../../api/messages/reactions.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { changeReaction } from "./change-reaction.ts";

export const reactionRoutes: Route[] = [
  route(addReactionEndpoint, async ({ viewer, params }) => {
    const { messageId, emojiName: name, emojiCode: code, reactionType: type } = params;
    await changeReaction({ viewer, op: "add", messageId, emoji: { name, code, type } });
    return {};
  }),
  route(removeReactionEndpoint, async ({ viewer, params }) => {
    const { messageId, emojiName: name, emojiCode: code, reactionType: type } = params;
    await changeReaction({ viewer, op: "remove", messageId, emoji: { name, code, type } });
    return {};
  }),
];
