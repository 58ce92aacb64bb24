import {
  addReaction as addReactionEndpoint,
  removeReaction as removeReactionEndpoint,
} from "../../../api/messages/reactions.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { changeAdditions } from "../change-additions.ts";
import { addReaction, removeReaction } from "./actions.ts";

export const reactionRoutes: Route[] = [
  route(addReactionEndpoint, async ({ viewer, params }) => {
    const { messageId, emojiName: name, emojiCode: code, reactionType: type } = params;
    await changeAdditions(viewer, messageId, (tx) => addReaction(tx, messageId, { name, code, type }));
    return {};
  }),
  route(removeReactionEndpoint, async ({ viewer, params }) => {
    const { messageId, emojiName: name, emojiCode: code, reactionType: type } = params;
    await changeAdditions(viewer, messageId, (tx) => removeReaction(tx, messageId, { name, code, type }));
    return {};
  }),
];
