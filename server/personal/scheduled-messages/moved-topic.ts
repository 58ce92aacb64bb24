import { mayReachOthers } from "../../../api/messages/moved-topic.ts";
import { canReadChannelById } from "../../channels/access.ts";
import { changedByMoves, MAX_TAKEN_ALONG, movedTopics } from "../../messages/move/moved-topics.ts";
import type { BeforeCommitHook } from "../../platform/log/before-commit-hook.ts";
import { announceUpdate } from "./deliver.ts";
import { lockMessagesForTopic, updateScheduledMessage } from "./store.ts";

/**
 * Scheduled messages follow a topic that moves as a whole. Otherwise they would begin a second topic of the
 * old name. Those of people who can't read the new channel stay, so that nobody learns a name by it. What was
 * written for fewer people stays too (decision 45).
 */
export const movedScheduledMessages: BeforeCommitHook = {
  projections: changedByMoves,
  async run(tx) {
    const { state } = tx;
    for (const { from, to } of movedTopics.of(tx) ?? []) {
      if (from.channel.id !== to.channel.id && mayReachOthers(from.channel, to.channel)) continue;
      const place = { channelId: from.channel.id, topic: from.topic };
      for (const message of await lockMessagesForTopic(tx, state.organizationId, place, MAX_TAKEN_ALONG)) {
        if (!canReadChannelById(state, to.channel.id, message.senderId)) continue;
        const moved = { ...message, channelId: to.channel.id, topic: to.topic };
        await updateScheduledMessage(tx, state.organizationId, moved);
        announceUpdate(tx, moved);
      }
    }
  },
};
