import { ApiError, errors } from "../../../api/errors.ts";
import type { Change } from "../../platform/log/change.ts";
import { accessMessageToAddTo } from "../messages/access.ts";
import { audiencesOfChange, type PlacedMessage } from "../messages/delivery/audiences.ts";
import { participate } from "../messages/participation.ts";
import type { Viewer } from "../users/viewer.ts";
import { checkEmoji, identifyEmoji, type NamedEmoji } from "./emoji.ts";
import { deleteReaction, type Emoji, findReactionName, insertReaction } from "./store.ts";

/**
 * Reacts to a message that the viewer can read; those who can read it hear of it. Throws REACTION_ALREADY_EXISTS for a
 * second one with the same emoji.
 */
export async function addReaction(
  tx: Change,
  viewer: Viewer,
  messageId: number,
  emoji: NamedEmoji & { name: string },
): Promise<void> {
  const { organizationId } = tx.state;
  const { row } = await accessMessageToAddTo({ state: tx.state, user: viewer.user }, tx, messageId);
  const identity = identifyEmoji(tx.state, emoji);
  // Joining others' reaction needs no check: a custom emoji that is out of use may still be joined.
  const joined = await findReactionName(tx, organizationId, row.id, identity);
  const reaction = { ...identity, emojiName: joined ?? emoji.name };
  if (joined === undefined) checkEmoji(tx.state, reaction);
  const isNew = await insertReaction(tx, organizationId, {
    ...reaction,
    messageId: row.id,
    userId: viewer.user.id,
  });
  if (!isNew) throw new ApiError(errors.reactionAlreadyExists);
  await announce(tx, viewer, "add", row, reaction);
  await participate(tx, viewer, row);
}

/** Takes back a reaction of the viewer's own; throws REACTION_DOES_NOT_EXIST when there is none. */
export async function removeReaction(
  tx: Change,
  viewer: Viewer,
  messageId: number,
  emoji: NamedEmoji,
): Promise<void> {
  const { organizationId } = tx.state;
  const { row } = await accessMessageToAddTo({ state: tx.state, user: viewer.user }, tx, messageId);
  const identity = identifyEmoji(tx.state, emoji);
  const removed = await deleteReaction(tx, organizationId, {
    ...identity,
    messageId: row.id,
    userId: viewer.user.id,
  });
  if (!removed) throw new ApiError(errors.reactionDoesNotExist);
  await announce(tx, viewer, "remove", row, removed);
}

async function announce(
  tx: Change,
  { user }: Viewer,
  op: "add" | "remove",
  message: PlacedMessage,
  { emojiName, emojiCode, reactionType }: Emoji,
): Promise<void> {
  for (const { audience } of await audiencesOfChange(tx.state, tx, [message], user.id)) {
    tx.appendRaw(
      {
        type: "reaction",
        op,
        emoji_name: emojiName,
        emoji_code: emojiCode,
        reaction_type: reactionType,
        user_id: user.id,
        message_id: message.id,
        user: { user_id: user.id, email: user.email, full_name: user.fullName, is_mirror_dummy: false },
      },
      audience,
    );
  }
}
