import { ApiError, errors } from "../../../api/errors.ts";
import { reactionAdded, reactionRemoved } from "../../../api/events/reactions.ts";
import type { MessageId } from "../../../api/ids.ts";
import { checkEmoji, type Emoji, identifyEmoji, type NamedEmoji } from "../../content/emoji/reference.ts";
import { shownEmail } from "../../people/email/email-visibility.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { EventSink } from "../../platform/log/event-list.ts";
import type { Audience } from "../../platform/log/log-entry.ts";
import { accessMessageToAddTo } from "../access.ts";
import { audiencesOfChange, type PlacedMessage } from "../delivery/audiences.ts";
import { participate } from "../participation.ts";
import { deleteReaction, findReactionName, insertReaction } from "./store.ts";

/**
 * Reacts to a message that the viewer can read. People who can read it get an event. Throws
 * REACTION_ALREADY_EXISTS for a second reaction with the same emoji.
 */
export async function addReaction(
  tx: ViewerChange,
  messageId: number,
  emoji: NamedEmoji & { name: string },
): Promise<void> {
  const { state, viewer } = tx;
  const { organizationId } = state;
  const { row } = await accessMessageToAddTo({ state, user: viewer.user }, tx, messageId);
  const identity = identifyEmoji(state, emoji);
  // A viewer may add a reaction that others already made without a check, even if its custom emoji is
  // deactivated.
  const joined = await findReactionName(tx, organizationId, row.id, identity);
  const reaction = { ...identity, emojiName: joined ?? emoji.name };
  if (joined === undefined) checkEmoji(state, reaction);
  const isNew = await insertReaction(tx, organizationId, {
    ...reaction,
    messageId: row.id,
    userId: viewer.user.id,
  });
  if (!isNew) throw new ApiError(errors.reactionAlreadyExists);
  await announce(tx, reactionAdded, row, reaction);
  await participate(tx, viewer, row);
}

/** Removes a reaction of the viewer's. Throws REACTION_DOES_NOT_EXIST if there is none. */
export async function removeReaction(tx: ViewerChange, messageId: number, emoji: NamedEmoji): Promise<void> {
  const { state, viewer } = tx;
  const { organizationId } = state;
  const { row } = await accessMessageToAddTo({ state, user: viewer.user }, tx, messageId);
  const identity = identifyEmoji(state, emoji);
  const removed = await deleteReaction(tx, organizationId, {
    ...identity,
    messageId: row.id,
    userId: viewer.user.id,
  });
  if (!removed) throw new ApiError(errors.reactionDoesNotExist);
  await announce(tx, reactionRemoved, row, removed);
}

async function announce(
  tx: ViewerChange,
  event: typeof reactionAdded | typeof reactionRemoved,
  message: PlacedMessage,
  emoji: Emoji,
): Promise<void> {
  const { viewer } = tx;
  for (const { audience } of await audiencesOfChange(tx.state, tx, [message], viewer.user.id)) {
    announceReaction(tx, event, viewer, message.id, emoji, audience);
  }
}

/** All events of reactions come from here. */
export function announceReaction(
  events: EventSink,
  event: typeof reactionAdded | typeof reactionRemoved,
  { state, user }: Viewer,
  messageId: MessageId,
  { emojiName, emojiCode, reactionType }: Emoji,
  audience: Audience,
): void {
  const fields = {
    emoji_name: emojiName,
    emoji_code: emojiCode,
    reaction_type: reactionType,
    user_id: user.id,
    message_id: messageId,
    user: {
      user_id: user.id,
      email: shownEmail(state, user),
      full_name: user.fullName,
      is_mirror_dummy: false,
    },
  };
  events.append(event, fields, audience);
}
