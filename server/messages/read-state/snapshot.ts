import { topicDisplayName } from "../../../api/channels/topic-name.ts";
import type { UserId } from "../../../api/ids.ts";
import { registerReadState } from "../../../api/register/read-state.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { readableScopeOf } from "../query/readable/snapshot-ranges.ts";
import { limits, listUnread, type UnreadConversation } from "./unread-store.ts";

/** The viewer's unread messages (spec E20). */
export const readStateSection = sectionOf(registerReadState, async (snapshot) => {
  const { state, viewer, tx, wants, options } = snapshot;
  // COMPAT: clients that follow only one of the two can't keep the counts right, so they get none.
  if (!wants("message") || !wants("update_message_flags")) return undefined;
  const unread = viewer ? await listUnread(state, tx, viewer.user, readableScopeOf(snapshot)) : [];
  const canBeEmpty = options.capabilities.empty_topic_name === true;
  return { unread_msgs: presentUnread(unread, viewer?.user.id, canBeEmpty) };
});

/** The ids are text already: there may be tens of thousands of them, and they are only passed on. */
function presentUnread(
  unread: readonly UnreadConversation[],
  me: UserId | undefined,
  canBeEmpty: boolean,
): RawJson {
  const pms: string[] = [];
  const huddles: string[] = [];
  const streams: string[] = [];
  for (const { recipientId, topic, userIds, messageIds } of unread) {
    const ids = `"unread_message_ids":[${messageIds}]`;
    if (!userIds) {
      const name = JSON.stringify(topicDisplayName(topic ?? "", canBeEmpty));
      streams.push(`{"stream_id":${recipientId},"topic":${name},${ids}}`);
    } else if (userIds.length > 2) {
      huddles.push(`{"user_ids_string":"${userIds.join()}",${ids}}`);
    } else {
      const other = userIds.find((id) => id !== me) ?? me;
      if (other !== undefined) pms.push(`{"other_user_id":${other},"sender_id":${other},${ids}}`);
    }
  }
  const mentions = unread.flatMap(({ mentionIds }) => mentionIds ?? []).sort((a, b) => a - b);
  return new RawJson(
    `{"count":${sum(unread.filter(({ isMuted }) => !isMuted))},"pms":[${pms}],"streams":[${streams}],` +
      `"huddles":[${huddles}],"mentions":[${mentions}],"old_unreads_missing":${sum(unread) >= limits.listed}}`,
  );
}

function sum(conversations: readonly UnreadConversation[]): number {
  return conversations.reduce((total, { count }) => total + count, 0);
}
