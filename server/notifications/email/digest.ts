/**
 * The weekly digest: what people who were away have missed. An hourly job finds the organizations, a job for
 * each finds its people, and a job for each of them decides everything again and mails. A run that was missed
 * is made up for, so a server that was down in the morning sends when it is up again.
 */
import { Type } from "typebox";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { unsubscribeUrl } from "../../accounts/mail-preferences/links.ts";
import { contentHiddenBy, subjectFor } from "../../accounts/mail-preferences/person-mail.ts";
import { findBusiestUnread, findFirstMessageSince, hasWrittenSince } from "../../messages/for-mail.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import { ownSiteOf } from "../../organization/site.ts";
import { canAccessUser } from "../../people/access/user-access.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import { type User, users } from "../../people/user.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { type Change, runLocked } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { enqueueMail } from "../../platform/mail/enqueue.ts";
import { presences } from "../../profiles/presence/presences.ts";
import type { Services } from "../../services.ts";
import { digestMail } from "./digest-mail.ts";
import { listDecided, listOrganizationsWithDigests, takeDay } from "./digest-store.ts";
import { digestDay } from "./digest-time.ts";
import { canGetMail } from "./reason.ts";

const DAY_MS = 24 * 3600 * 1000;
/** People who were at a client or wrote since then know what happened. */
const AWAY_MS = 5 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;
const PEOPLE_AT_ONCE = 500;
const MAX_TOPICS = 10;

export const mailDigests = definePeriodicJob({
  name: "mail_digests",
  schedule: "7 * * * *",
  async run({ database }: Pick<Services, "database">, { dueAt }) {
    await database.transaction(
      async (tx) => {
        for (const organizationId of await listOrganizationsWithDigests(tx)) {
          const payload = { organizationId, at: dueAt.getTime(), afterId: 0 };
          await enqueue(tx, mailDigestsOf, payload, { key: `${organizationId}.${payload.at}` });
        }
      },
      { lane: "background" },
    );
  },
});

/** For the people with ids beyond `afterId`. The rest is left to the next run. */
export const mailDigestsOf = defineJob({
  name: "mail_digests_of",
  payload: Type.Object({ organizationId: Type.Integer(), at: Type.Integer(), afterId: Type.Integer() }),
  async run(
    { database, organizations }: Pick<Services, "database" | "organizations">,
    { organizationId, at, afterId },
  ) {
    const state = await organizations.byId(organizationId as OrganizationId);
    await state.catchUp();
    const found = peopleInTheMorning(state, at).filter(({ userId }) => userId > afterId);
    const people = found.sort((a, b) => a.userId - b.userId).slice(0, PEOPLE_AT_ONCE);
    if (people.length === 0) return;
    const decided = await listDecided(database, state.organizationId, people);
    const since = await findFirstMessageSince(state, database, new Date(at - WEEK_MS));
    await database.transaction(
      async (tx) => {
        for (const { userId, day } of people) {
          if (decided.has(userId) || since === undefined) continue;
          const payload = { organizationId, userId, at, day, since };
          await enqueue(tx, mailDigestTo, payload, { key: `${organizationId}.${userId}` });
        }
        const lastId = people.at(-1)?.userId ?? 0;
        if (found.length > people.length) {
          await enqueue(tx, mailDigestsOf, { organizationId, at, afterId: lastId });
        }
      },
      { lane: "background" },
    );
  },
});

/** `since`: the first message of the week. */
export const mailDigestTo = defineJob({
  name: "mail_digest_to",
  payload: Type.Object({
    organizationId: Type.Integer(),
    userId: Type.Integer(),
    at: Type.Integer(),
    day: Type.String(),
    since: Type.Integer(),
  }),
  async run(
    services: Pick<Services, "config" | "keyring" | "organizations">,
    { organizationId, userId, at, day, since },
  ) {
    const state = await services.organizations.byId(organizationId as OrganizationId);
    const site = await ownSiteOf(services, state);
    await runLocked(state, async (tx) => {
      const user = state.get(users).byId.get(userId as UserId);
      if (!user || !wantsDigest(state, user) || !isAway(state, user, at)) return;
      if (await hasWrittenSince(state, tx, user.id, new Date(at - AWAY_MS))) return;
      if (await takeDay(tx, state.organizationId, user.id, day)) {
        await mailDigest(tx, services, user, { site, at, since });
      }
    });
  },
});

/** The people to whom a digest is due at that moment, and which day it is where they are. */
function peopleInTheMorning(state: OrganizationState, at: number): { userId: UserId; day: string }[] {
  const weekday = settingOf(state, organizationSettings.digestWeekday);
  const days = new Map<string, string | undefined>();
  const people: { userId: UserId; day: string }[] = [];
  for (const user of state.get(users).all()) {
    if (!wantsDigest(state, user) || !isAway(state, user, at)) continue;
    const timeZone = userSettingOf(user, userSettings.timezone);
    if (!days.has(timeZone)) days.set(timeZone, digestDay(new Date(at), timeZone, weekday));
    const day = days.get(timeZone);
    if (day !== undefined) people.push({ userId: user.id, day });
  }
  return people;
}

function wantsDigest(state: OrganizationState, user: User): boolean {
  return (
    state.get(organization).isActive &&
    settingOf(state, organizationSettings.digestEmailsEnabled) &&
    canGetMail(user) &&
    userSettingOf(user, userSettings.enableDigestEmails)
  );
}

/** People who joined lately are not away, even if they were never at a client. */
function isAway(state: OrganizationState, { id, joinedAt }: User, at: number): boolean {
  const { activeAt = 0, connectedAt = 0 } = state.get(presences).find(id, Math.max(at, Date.now())) ?? {};
  return at - Math.max(activeAt, connectedAt, Date.parse(joinedAt)) >= AWAY_MS;
}

/** Mails nothing to somebody who has nothing to read. */
async function mailDigest(
  tx: Change,
  services: Pick<Services, "keyring">,
  user: User,
  { site, at, since }: { site: string; at: number; since: number },
): Promise<void> {
  const { state } = tx;
  const topics = await findBusiestUnread(state, tx, user, { after: since - 1, limit: MAX_TOPICS });
  if (topics.length === 0) return;
  const stopUrl = unsubscribeUrl(services.keyring, state, user, "digest", site);
  const content = digestMail({
    ...{ state, user, site, stopUrl, topics },
    newPeople: newPeopleFor(state, user, at - WEEK_MS),
    hiddenBy: contentHiddenBy(state, user),
  });
  const subject = await subjectFor(state, tx, user, content.subject);
  await enqueueMail(tx, services, {
    kind: "digest",
    to: user.email,
    content: { ...content, subject },
    headers: { unsubscribeUrl: stopUrl },
  });
}

/** Those who joined since then and whom the reader may know of, the newest first. */
function newPeopleFor(state: OrganizationState, reader: User, since: number): User[] {
  const found = [...state.get(users).all()].filter(
    (user) =>
      user.isActive &&
      user.botType === null &&
      user.id !== reader.id &&
      Date.parse(user.joinedAt) >= since &&
      canAccessUser(state, reader, user),
  );
  return found.sort((a, b) => b.id - a.id);
}
