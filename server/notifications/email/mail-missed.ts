/**
 * Mails what people missed. Whether a message is mailed is decided here, by the state of this moment. The
 * mails and the end of the rows are one transaction, so each message is mailed at most once.
 */
import { Type } from "typebox";
import type { MessageId, OrganizationId, UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { unsubscribeUrl } from "../../accounts/mail-preferences/links.ts";
import { contentHiddenBy, subjectFor } from "../../accounts/mail-preferences/person-mail.ts";
import { listReadable, listReadableTexts, type Readable } from "../../messages/access.ts";
import { listReadableBefore } from "../../messages/for-mail.ts";
import type { PersonalRow } from "../../messages/model/message.ts";
import { organization } from "../../organization/organization.ts";
import { ownSiteOf } from "../../organization/site.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { type User, users } from "../../people/user.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { type Change, runLocked } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { enqueueMails, type NewMail } from "../../platform/mail/enqueue.ts";
import { pushTo } from "../../platform/std/multimap.ts";
import { OFFLINE_AFTER_MS, presences } from "../../profiles/presence/presences.ts";
import type { Services } from "../../services.ts";
import { conversationMail, hiddenMail } from "./conversation-mail.ts";
import { findChoices, NEWS_HOURS, reasonFor } from "./find-missed.ts";
import { canGetMail, type MailReason } from "./reason.ts";
import { deleteOldMissed, listDuePeople, lockMissed, type MissedRow, replaceMissed } from "./store.ts";

const PEOPLE_AT_ONCE = 2000;
const ROWS_AT_ONCE = 500;
/** How many messages of one person one run reads. The rest is left for the next minute. */
const MESSAGES_AT_ONCE = 500;
const MAILS_AT_ONCE = 10;
const HOUR_MS = 3600 * 1000;
/** In one mail. The others are counted. */
const MAX_SHOWN = 20;
const MAX_SHOWN_BYTES = 128 * 1024;
/** Before somebody's first mention. */
const MAX_EARLIER = 2;

export const mailMissedMessages = definePeriodicJob({
  name: "mail_missed_messages",
  schedule: "* * * * *",
  isMadeUpFor: false,
  attempts: 1,
  async run({ database }: Pick<Services, "database">) {
    await deleteOldMissed(database, NEWS_HOURS);
    await database.transaction(
      async (tx) => {
        for (const { organizationId, userId } of await listDuePeople(tx, PEOPLE_AT_ONCE)) {
          const key = `${organizationId}.${userId}`;
          await enqueue(tx, mailMissedMessagesTo, { organizationId, userId }, { key });
        }
      },
      { lane: "background" },
    );
  },
});

export const mailMissedMessagesTo = defineJob({
  name: "mail_missed_messages_to",
  payload: Type.Object({ organizationId: Type.Integer(), userId: Type.Integer() }),
  // The next minute tries again.
  attempts: 1,
  async run(services: Pick<Services, "config" | "keyring" | "organizations">, payload) {
    const state = await services.organizations.byId(payload.organizationId as OrganizationId);
    if (!state.get(organization).isActive) return;
    await mailMissed(services, state, payload.userId as UserId);
  },
});

/** A message that the person is to get by mail. */
interface Wanted extends Readable<PersonalRow> {
  reason: MailReason;
}

async function mailMissed(
  services: Pick<Services, "config" | "keyring" | "organizations">,
  state: OrganizationState,
  userId: UserId,
): Promise<void> {
  const site = await ownSiteOf(services, state);
  await runLocked(state, async (tx) => {
    const rows = await lockMissed(tx, state.organizationId, userId, ROWS_AT_ONCE);
    if (rows.length === 0) return;
    const news = newsOf(rows);
    const all = [...news.keys()].sort((a, b) => a - b);
    const ids = all.slice(0, MESSAGES_AT_ONCE);
    const user = state.get(users).byId.get(userId);
    const wanted = canGetMail(user) && ids.length > 0 ? await findWanted(tx, user, ids) : [];
    const isWaiting = user !== undefined && wanted.length > 0 && isActive(state, user);
    const { mailed, later } = isWaiting
      ? { mailed: [], later: wanted }
      : chooseConversations(wanted, user !== undefined && contentHiddenBy(state, user) !== undefined);
    const kept = [...later.map(({ row }) => row.id), ...all.slice(MESSAGES_AT_ONCE)];
    const left = leftOf(rows, news, kept, isWaiting ? user : undefined);
    await replaceMissed(
      tx,
      state.organizationId,
      userId,
      rows.map(({ position }) => position),
      left,
    );
    if (user === undefined || mailed.length === 0) return;
    await enqueueMails(tx, services, await mailsOf(tx, services, user, site, mailed));
  });
}

/**
 * The messages of the rows that are still news, with since when. An edit may have added one that waits
 * already, which is news no longer for that.
 */
function newsOf(rows: readonly MissedRow[]): Map<MessageId, Date> {
  const oldest = Date.now() - NEWS_HOURS * HOUR_MS;
  const since = new Map<MessageId, Date>();
  for (const { messageIds, newsSince } of rows) {
    messageIds.forEach((id, index) => {
      if (!since.has(id)) since.set(id, newsSince[index] as Date);
    });
  }
  return new Map([...since].filter(([, date]) => date.getTime() >= oldest));
}

/**
 * One row for what waits on. So a person who is at a client all day has one row, however much they leave
 * unread. `waiting`: the person, if they are looked at again only after their period.
 */
function leftOf(
  rows: readonly MissedRow[],
  news: ReadonlyMap<MessageId, Date>,
  messageIds: MessageId[],
  waiting: User | undefined,
): MissedRow | undefined {
  const [first] = rows;
  if (!first || messageIds.length === 0) return undefined;
  const seconds = waiting && userSettingOf(waiting, userSettings.emailNotificationsBatchingPeriodSeconds);
  const dueAt =
    seconds === undefined ? Math.min(...rows.map((row) => row.dueAt.getTime())) : Date.now() + seconds * 1000;
  const newsSince = messageIds.map((id) => news.get(id) as Date);
  const sentAt = newsSince.reduce((newest, date) => (date > newest ? date : newest));
  return { position: first.position, messageIds, newsSince, dueAt: new Date(dueAt), sentAt };
}

/** Those that are unread, that the person may read, and that they want by mail: all as it is now. */
async function findWanted(tx: Change, user: User, ids: readonly MessageId[]): Promise<Wanted[]> {
  const { state } = tx;
  const unread = (await listReadable({ state, user }, tx, ids)).filter(({ isRead }) => !isRead);
  const choices = await findChoices(
    state,
    tx,
    unread.map(({ row }) => row),
    user.id,
  );
  return unread.flatMap((message) => {
    const reason = reasonFor(state, user, message.row, message.row.personal, choices);
    return reason ? [{ ...message, reason }] : [];
  });
}

/** By conversation, in the order of their first messages. Without content, all of them are one mail. */
function chooseConversations(
  wanted: readonly Wanted[],
  isHidden: boolean,
): { mailed: Wanted[][]; later: Wanted[] } {
  const conversations = new Map<string, Wanted[]>();
  for (const each of wanted) {
    const { recipientId, topicId } = each.row;
    pushTo(conversations, isHidden ? "" : `${recipientId}.${topicId}`, each);
  }
  const all = [...conversations.values()];
  return { mailed: all.slice(0, MAILS_AT_ONCE), later: all.slice(MAILS_AT_ONCE).flat() };
}

/** A person who is at a client sees the messages there. */
function isActive(state: OrganizationState, { id }: User): boolean {
  const activeAt = state.get(presences).find(id)?.activeAt ?? 0;
  return Date.now() - activeAt < OFFLINE_AFTER_MS;
}

async function mailsOf(
  tx: Change,
  services: Pick<Services, "keyring">,
  user: User,
  site: string,
  conversations: readonly Wanted[][],
): Promise<NewMail[]> {
  const { state } = tx;
  const stopUrl = unsubscribeUrl(services.keyring, state, user, "missed-messages", site);
  const hiddenBy = contentHiddenBy(state, user);
  const mails: NewMail[] = [];
  if (hiddenBy) {
    const content = hiddenMail({ state, site, stopUrl, hiddenBy });
    const subject = await subjectFor(state, tx, user, content.subject);
    const headers = { unsubscribeUrl: stopUrl };
    return [{ kind: "missed messages", to: user.email, content: { ...content, subject }, headers }];
  }
  for (const wanted of conversations) {
    const { content, threadId } = await conversationOf(tx, services, user, { site, stopUrl, wanted });
    const subject = await subjectFor(state, tx, user, content.subject);
    mails.push({
      kind: "missed messages",
      to: user.email,
      content: { ...content, subject },
      headers: { unsubscribeUrl: stopUrl, threadId },
    });
  }
  return mails;
}

async function conversationOf(
  tx: Change,
  { keyring }: Pick<Services, "keyring">,
  user: User,
  { site, stopUrl, wanted }: { site: string; stopUrl: string; wanted: readonly Wanted[] },
) {
  const { state } = tx;
  const reader = { state, user };
  const [first] = wanted as [Wanted];
  const shown = wanted.slice(0, MAX_SHOWN).map(({ row }) => row.id);
  const missed = await listReadableTexts(reader, tx, shown, MAX_SHOWN_BYTES);
  const earlier =
    first.reason === "mention"
      ? await listReadableBefore(reader, tx, first.row, { limit: MAX_EARLIER, bytes: MAX_SHOWN_BYTES })
      : [];
  const content = conversationMail({
    state,
    user,
    site,
    stopUrl,
    reason: first.reason,
    earlier: earlier.map(({ row }) => row),
    missed: missed.map(({ row }) => row),
    moreCount: wanted.length - missed.length,
  });
  const { recipientId, topicId } = first.row;
  const place = `mails of conversation ${recipientId}.${topicId} to user ${user.id} of ${state.organizationId}`;
  return { content, threadId: keyring.hash(place).toString("base64url") };
}
