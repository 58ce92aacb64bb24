/** Mentions that an edit adds count like those of a new message. */
import type { ChannelId, UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { findMentioning } from "../../messages/for-mail.ts";
import { isMentionedBy, type MentioningEdit } from "../../messages/mentions/added-mentions.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { findChoices, NEWS_HOURS, reasonFor } from "./find-missed.ts";
import { canGetMail, type MailReason } from "./reason.ts";
import type { MissedMessage } from "./store.ts";

/** The sender and those who have read it by now are left out later. */
export async function findMissedEdits(
  state: OrganizationState,
  tx: Queryable,
  edits: readonly MentioningEdit[],
): Promise<MissedMessage[]> {
  const oldest = Date.now() - NEWS_HOURS * 3600 * 1000;
  const recent = edits.filter(({ editedAt }) => editedAt.getTime() > oldest);
  if (recent.length === 0) return [];
  const ids = recent.map(({ messageId }) => messageId);
  const found = await findMentioning(state, tx, ids);
  const choices = await findChoices(
    state,
    tx,
    [...found.values()].map(({ row }) => row),
  );
  const { byId } = state.get(users);
  return recent.flatMap(({ messageId, editedAt, before, after }) => {
    const message = found.get(messageId);
    if (!message || message.row.topicId === null) return [];
    const { row, mentioned } = message;
    const isToMany = after.mentionsChannel || after.groupIds.size > 0;
    const subscribed = isToMany ? state.get(subscribers).of(row.recipientId as ChannelId) : [];
    return [...new Set<UserId>([...mentioned.keys(), ...subscribed])].flatMap((userId): MissedMessage[] => {
      const user = byId.get(userId);
      const personal = mentioned.get(userId) ?? 0;
      if (!canGetMail(user) || isMentionedBy(state, before, row, { user, personal })) return [];
      if (!isMention(reasonFor(state, user, row, personal, choices))) return [];
      const seconds = userSettingOf(user, userSettings.emailNotificationsBatchingPeriodSeconds);
      const dueAt = new Date(editedAt.getTime() + seconds * 1000);
      return [{ userId, messageId, dueAt, sentAt: editedAt }];
    });
  });
}

function isMention(reason: MailReason | undefined): boolean {
  return reason === "mention" || reason === "mention of everyone";
}
