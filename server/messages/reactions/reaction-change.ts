/** Reactions as changes that share transactions. */
import { ApiError, errors } from "../../../api/errors.ts";
import { reactionAdded, reactionRemoved } from "../../../api/events/reactions.ts";
import type { ChannelId, UserId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { checkEmoji, identifyEmoji, type NamedEmoji } from "../../content/emoji/reference.ts";
import { currentViewer } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { type GroupedChange, NextGroup, NotForGroup } from "../../platform/log/grouped-change.ts";
import { accessFound } from "../access.ts";
import { audienceOfAddition } from "../delivery/audiences.ts";
import { messageRows, toAddTo } from "../model/lock-store.ts";
import { countsReacting, countsReactingIn } from "../send/automatic-policies.ts";
import { announceReaction } from "./actions.ts";
import { type FoundReaction, findReactions, type ReactionWrite, writeReactions } from "./store.ts";

export type ReactionRequest = { viewer: Viewer; messageId: number } & (
  | { op: "add"; emoji: NamedEmoji & { name: string } }
  | { op: "remove"; emoji: NamedEmoji }
);

interface Shared {
  /** The people with flags on each message. */
  flaggedIds: Map<number, readonly UserId[]>;
  /** What the requests before have made of an emoji of a message. `name` is null when one was removed. */
  changed: Map<string, { name: string | null }>;
}

/**
 * As `addReaction` and `removeReaction`, for reactions that change nothing but the message. For others throws
 * NotForGroup.
 */
export const reactionChange: GroupedChange<ReactionRequest, FoundReaction, Shared, ReactionWrite, void> = {
  name: "reaction",
  // Without the emoji, which a person may name in two ways.
  keysOf: ({ viewer, messageId }) => [`reaction ${messageId} ${viewer.user.id}`],
  check(request) {
    const viewer = currentViewer(request.viewer);
    if (countsReacting(viewer)) throw new NotForGroup();
  },
  locks: [{ rows: messageRows, of: ({ messageId }) => [{ id: messageId, mode: toAddTo }] }],
  find(organizationId, requests) {
    const asked = requests.map(({ viewer, messageId, emoji }) => ({
      userId: viewer.user.id,
      messageId,
      ...(identityOf(viewer, emoji) ?? noEmoji),
    }));
    return findReactions(organizationId, asked);
  },
  share(found) {
    const flaggedIds = new Map<number, readonly UserId[]>();
    for (const { id, flaggedIds: ids } of found) if (ids) flaggedIds.set(id, ids);
    return { flaggedIds, changed: new Map() };
  },
  decide(request, [row], shared, events) {
    const viewer = currentViewer(request.viewer);
    const { state, user } = viewer;
    const found = accessFound({ state, user }, row);
    const identity = identifyEmoji(state, request.emoji);
    const place = JSON.stringify([found.id, identity.reactionType, identity.emojiCode]);
    const changed = shared.changed.get(place);
    const audience = audienceOfAddition(state, found, shared.flaggedIds.get(found.id) ?? [], user.id);
    if (!audience) throw new NotForGroup();
    if (request.op === "remove") {
      if (found.ownId === null) throw new ApiError(errors.reactionDoesNotExist);
      const removed = { ...identity, emojiName: found.ownName as string };
      announceReaction(events, reactionRemoved, viewer, found.id, removed, audience);
      shared.changed.set(place, { name: null });
      return { writes: [{ removes: { messageId: found.id, id: found.ownId } }], answer: undefined };
    }
    // It may have been the last with this emoji.
    if (changed?.name === null) throw new NextGroup();
    const joined = changed?.name ?? found.joinedName;
    const added = { ...identity, emojiName: joined ?? request.emoji.name };
    if (joined === null) checkEmoji(state, added);
    if (found.ownId !== null) throw new ApiError(errors.reactionAlreadyExists);
    if (takesPart(viewer, found)) throw new NotForGroup();
    announceReaction(events, reactionAdded, viewer, found.id, added, audience);
    shared.changed.set(place, { name: added.emojiName });
    return { writes: [{ adds: { ...added, messageId: found.id, userId: user.id } }], answer: undefined };
  },
  write: writeReactions,
};

/** No reaction has it. */
const noEmoji = { reactionType: "", emojiCode: "" };

/** undefined: there is no such emoji, which only those who may read the message are told. */
function identityOf({ state }: Viewer, emoji: NamedEmoji): ReturnType<typeof identifyEmoji> | undefined {
  try {
    return identifyEmoji(state, emoji);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Whether the viewer's policy for the topic may change, since they take part in it. */
function takesPart(viewer: Viewer, { recipientId }: FoundReaction): boolean {
  const channel = viewer.state.get(channels).byId.get(recipientId as ChannelId);
  return channel !== undefined && countsReactingIn(viewer, channel);
}
