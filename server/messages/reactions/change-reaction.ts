import { changeInGroup } from "../../people/viewer/change.ts";
import { NotForGroup } from "../../platform/log/grouped-change.ts";
import { changeAdditions } from "../change-additions.ts";
import { addReaction, removeReaction } from "./actions.ts";
import { type ReactionRequest, reactionChange } from "./reaction-change.ts";

/** Adds or removes a reaction, together with other small changes unless it changes more than the message. */
export async function changeReaction(request: ReactionRequest): Promise<void> {
  const { viewer, messageId } = request;
  try {
    await changeInGroup(reactionChange, request);
  } catch (error) {
    if (!(error instanceof NotForGroup)) throw error;
    await changeAdditions(viewer, messageId, (tx) =>
      request.op === "add"
        ? addReaction(tx, messageId, request.emoji)
        : removeReaction(tx, messageId, request.emoji),
    );
  }
}
