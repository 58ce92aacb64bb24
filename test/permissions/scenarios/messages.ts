/** The causes of events of messages. */

import { subscribe } from "../../../api/channels/subscriptions.ts";
import { flagAdded, flagRemoved } from "../../../api/events/flags.ts";
import {
  messageDeleted,
  messageSent,
  messagesDeleted,
  messageUpdated,
} from "../../../api/events/messages.ts";
import { submessageAdded } from "../../../api/events/polls.ts";
import { reactionAdded, reactionRemoved } from "../../../api/events/reactions.ts";
import {
  channelTypingStarted,
  channelTypingStopped,
  directTypingStarted,
  directTypingStopped,
  messageEditingStarted,
  messageEditingStopped,
} from "../../../api/events/typing.ts";
import { deleteMessage } from "../../../api/messages/delete-messages.ts";
import { editMessage } from "../../../api/messages/edit-message.ts";
import { updateMessageFlags } from "../../../api/messages/flags.ts";
import { sendMessage } from "../../../api/messages/messages.ts";
import { addSubmessage } from "../../../api/messages/polls.ts";
import { addReaction, removeReaction } from "../../../api/messages/reactions.ts";
import { setMessageEditTypingStatus, setTypingStatus } from "../../../api/messages/typing.ts";
import { messageFacts } from "../../../server/messages/model/message.ts";
import { sql } from "../../../server/platform/db/sql.ts";
import { byEach, type ChannelScene, inChannels, type Scenario } from "../scenario.ts";
import { channelNamed } from "./channel-named.ts";

const aPoll = '{"widget_type":"poll","extra_data":{"question":"Soup?","options":["leek"]}}';
const octopus = { emoji_name: "octopus" };

export const messageScenarios: readonly Scenario[] = [
  inChannels(messageSent, "subscribers", ({ olga, channel }) =>
    olga(sendMessage, { type: "channel", to: channel.id, topic: "lunch", content: "Bread, too" }),
  ),
  byEach(messageSent, ({ olga, self }) =>
    olga(sendMessage, { type: "direct", to: [self.id], content: "For you" }),
  ),
  byEach(flagAdded, async ({ olga, self, begin }) => {
    const { id } = await olga(sendMessage, { type: "direct", to: [self.id], content: "For you" });
    begin();
    await self.call(updateMessageFlags, { messages: [id], op: "add", flag: "starred" });
  }),
  byEach(flagRemoved, async ({ olga, self, begin }) => {
    const { id } = await olga(sendMessage, { type: "direct", to: [self.id], content: "For you" });
    await self.call(updateMessageFlags, { messages: [id], op: "add", flag: "starred" });
    begin();
    await self.call(updateMessageFlags, { messages: [id], op: "remove", flag: "starred" });
  }),
  inChannels(messageUpdated, "readers", ({ olga, messageId }) =>
    olga(editMessage, { message_id: messageId, content: "Soup at noon?" }),
  ),
  inChannels(messageUpdated, "readers", ({ olga, messageId }) =>
    olga(editMessage, { message_id: messageId, topic: "dinner" }),
  ),
  inChannels(messagesDeleted, "readers", remove, { clients: ["modern"] }),
  inChannels(messagesDeleted, "readers", moveOutOfSight, { clients: ["modern"] }),
  inChannels(messageDeleted, "readers", remove, { clients: ["plain"] }),
  inChannels(reactionAdded, "readers", ({ olga, messageId }) =>
    olga(addReaction, { message_id: messageId, ...octopus }),
  ),
  inChannels(reactionRemoved, "readers", async ({ olga, messageId, begin }) => {
    await olga(addReaction, { message_id: messageId, ...octopus });
    begin();
    await olga(removeReaction, { message_id: messageId, ...octopus });
  }),
  inChannels(submessageAdded, "readers", async ({ olga, harness, messageId }) => {
    // The message may be from before or after they joined, so it becomes a poll only here.
    await harness.state.database.query(sql`
      with poll as (update messages set facts = facts | ${messageFacts.isWidget} where id = ${messageId} returning *)
      insert into submessages (organization_id, message_id, sender_id, kind, content)
      select organization_id, id, sender_id, 'widget', ${aPoll} from poll`);
    await olga(addSubmessage, {
      message_id: messageId,
      msg_type: "widget",
      content: { type: "vote", key: "canned,0", vote: 1 },
    });
  }),
  byEach(directTypingStarted, ({ olga, self }) => olga(setTypingStatus, { op: "start", to: [self.id] })),
  byEach(directTypingStopped, ({ olga, self }) => olga(setTypingStatus, { op: "stop", to: [self.id] })),
  inChannels(channelTypingStarted, "subscribers", typing("start"), {
    clients: ["modern"],
    unheardOutside: true,
  }),
  inChannels(channelTypingStopped, "subscribers", typing("stop"), {
    clients: ["modern"],
    unheardOutside: true,
  }),
  inChannels(messageEditingStarted, "readers", editing("start")),
  inChannels(messageEditingStopped, "readers", editing("stop")),
];

function remove({ olga, messageId }: ChannelScene) {
  return olga(deleteMessage, { message_id: messageId });
}

/** Sends to a private channel that no listener knows of except administrators, who can't read it. */
async function moveOutOfSight({ olga, messageId, freshName, harness, begin }: ChannelScene) {
  await olga(subscribe, { subscriptions: [{ name: freshName }], invite_only: true });
  const stream_id = channelNamed(harness, freshName) as number;
  begin();
  await olga(editMessage, { message_id: messageId, stream_id });
}

function typing(op: "start" | "stop"): Parameters<typeof inChannels>[2] {
  return ({ olga, channel }) =>
    olga(setTypingStatus, { type: "channel", op, stream_id: channel.id, topic: "lunch" });
}

function editing(op: "start" | "stop"): Parameters<typeof inChannels>[2] {
  return ({ olga, messageId }) => olga(setMessageEditTypingStatus, { message_id: messageId, op });
}
