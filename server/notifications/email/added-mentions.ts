/**
 * Mentions that an edit adds. They count like those of a new message, for people whom the text did not
 * mention before. Both texts are in the entry of the log, so an edit that adds none costs no look-up.
 */
import type { ChannelId, GroupId, MessageId, UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { subscribers } from "../../channels/subscriptions/subscribers.ts";
import { storedUpdate } from "../../messages/edit/events.ts";
import { isMentionedIn } from "../../messages/mentions/group-mentions.ts";
import { hasFlag, personalFlags } from "../../messages/model/message.ts";
import { listMentioned, listPersonal, type PersonalRow } from "../../messages/query/fetch.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { type User, users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { LogEntry } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedFields } from "../../platform/log/stored-event.ts";
import { findChoices, NEWS_HOURS, reasonFor } from "./find-missed.ts";
import { canGetMail, type MailReason } from "./reason.ts";
import type { MissedMessage } from "./store.ts";

/** An edit after which the text mentions more than before. */
export interface MentioningEdit {
  messageId: MessageId;
  editedAt: Date;
  before: Mentions;
  after: Mentions;
}

interface Mentions {
  userIds: ReadonlySet<number>;
  groupIds: ReadonlySet<number>;
  mentionsChannel: boolean;
  mentionsTopic: boolean;
}

/** What the renderer makes of a mention. A silent one has another class. */
const MENTION =
  /<span class="(user-mention|user-mention channel-wildcard-mention|topic-mention|user-group-mention)"(?: data-user(?:-group)?-id="(\d+|\*)")?>/g;

/** undefined: the entry is of something else. */
export function mentioningEditOf({ payload }: LogEntry): MentioningEdit | undefined {
  const update = storedFields(storedUpdate, payload)?.update;
  if (!update || update.rendering_only || update.stream_id === undefined) return undefined;
  const { rendered_content: html, orig_rendered_content: earlier } = update;
  if (html === undefined || earlier === undefined) return undefined;
  const [before, after] = [mentionsIn(earlier), mentionsIn(html)];
  if (!addsTo(before, after)) return undefined;
  return {
    messageId: update.message_id as MessageId,
    editedAt: new Date((update.edit_timestamp ?? 0) * 1000),
    before,
    after,
  };
}

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
  const rows = await listPersonal(tx, state.organizationId, undefined, ids);
  const mentioned = await listMentioned(tx, state.organizationId, ids);
  const choices = await findChoices(state, tx, rows);
  const { byId } = state.get(users);
  return recent.flatMap(({ messageId, editedAt, before, after }) => {
    const row = rows.find(({ id }) => id === messageId);
    if (!row || row.topicId === null) return [];
    const bits = new Map(
      mentioned.filter((each) => each.messageId === messageId).map((each) => [each.userId, each.personal]),
    );
    const isToMany = after.mentionsChannel || after.groupIds.size > 0;
    const subscribed = isToMany ? state.get(subscribers).of(row.recipientId as ChannelId) : [];
    return [...new Set<UserId>([...bits.keys(), ...subscribed])].flatMap((userId): MissedMessage[] => {
      const user = byId.get(userId);
      const personal = bits.get(userId) ?? 0;
      if (!canGetMail(user) || isAmong(state, user, row, personal, before)) return [];
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

/** `personal`: the bits after the edit. Who takes part in a topic was taking part before it. */
function isAmong(
  state: OrganizationState,
  user: User,
  row: PersonalRow,
  personal: number,
  mentions: Mentions,
): boolean {
  return (
    mentions.userIds.has(user.id) ||
    mentions.mentionsChannel ||
    (mentions.mentionsTopic && hasFlag(personal, personalFlags.topicMentioned)) ||
    [...mentions.groupIds].some((id) => isMentionedIn(state, row, id as GroupId, user))
  );
}

function addsTo(before: Mentions, after: Mentions): boolean {
  return (
    (after.mentionsChannel && !before.mentionsChannel) ||
    (after.mentionsTopic && !before.mentionsTopic) ||
    [...after.userIds].some((id) => !before.userIds.has(id)) ||
    [...after.groupIds].some((id) => !before.groupIds.has(id))
  );
}

function mentionsIn(rendered: string): Mentions {
  const userIds = new Set<number>();
  const groupIds = new Set<number>();
  let [mentionsChannel, mentionsTopic] = [false, false];
  for (const [, kind, id] of rendered.matchAll(MENTION)) {
    if (kind === "topic-mention") mentionsTopic = true;
    else if (kind === "user-group-mention") groupIds.add(Number(id));
    else if (kind === "user-mention") userIds.add(Number(id));
    else mentionsChannel = true;
  }
  return { userIds, groupIds, mentionsChannel, mentionsTopic };
}
