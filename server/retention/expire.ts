/**
 * Messages go when they are older than their channel keeps them, or the organization where the channel does not say; direct
 * messages follow the organization. They go a few at a time, oldest first, each time with the events that tell it, so that
 * nobody who sends waits for more than a commit.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import type { ChannelId, OrganizationId, RecipientId, UserId } from "../../api/ids.ts";
import { organizationSettings } from "../../api/organization-settings.ts";
import { channels } from "../channels/channel.ts";
import type { Database } from "../db/database.ts";
import type { Live } from "../events/live.ts";
import { changeContent } from "../events/transaction.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../jobs/job.ts";
import { deleteMessages } from "../messages/delete.ts";
import { settingOf } from "../organization/setting.ts";
import {
  listExpiredMessages,
  listExpiringConversations,
  listExpiringOrganizations,
  listOldestSentAt,
} from "./store.ts";

const DAY_MS = 24 * 3600 * 1000;
const FOREVER = -1;
/** Whoever can't hear of many deletions at once gets an event for each, so this many entries go into the log at once. */
const BATCH = 200;
/** Half of the time is left to others. */
const PAUSE_MS = 20;
/** Then the rest is left to another run. */
const RUN_MS = 60_000;
const CONVERSATIONS_AT_ONCE = 500;

export const expireMessages = definePeriodicJob({
  name: "expire_messages",
  schedule: "23 * * * *",
  async run({ database }) {
    await database.transaction(async (tx) => {
      for (const organizationId of await listExpiringOrganizations(tx)) {
        await enqueue(tx, expireMessagesOf, { organizationId }, { key: String(organizationId) });
      }
    });
  },
});

export const expireMessagesOf = defineJob({
  name: "expire_messages_of",
  payload: Type.Object({ organizationId: Type.Integer() }),
  async run({ database, organizations }, { organizationId }, { signal }) {
    const live = await organizations.byId(organizationId as OrganizationId);
    if (!(await expireAll(live, signal))) await goOnLater(database, live);
  },
});

/** Resolves with false when there is more to do than a run may take. */
async function expireAll(live: Live, signal: AbortSignal): Promise<boolean> {
  const endsAt = Date.now() + RUN_MS;
  for await (const place of expiringPlaces(live)) {
    while ((await expireSome(live, place)) === BATCH) {
      signal.throwIfAborted();
      if (Date.now() > endsAt) return false;
      await sleep(PAUSE_MS);
    }
  }
  return true;
}

function goOnLater(database: Database, { organizationId }: Live): Promise<void> {
  return enqueue(database, expireMessagesOf, { organizationId }, { key: String(organizationId) });
}

/** A channel, or the conversation of these people. */
interface Place {
  recipientId: RecipientId;
  userIds: readonly UserId[] | null;
}

/** The channels and conversations whose oldest message has expired. */
async function* expiringPlaces(live: Live): AsyncGenerator<Place> {
  const limited = [...live.get(channels).all()].flatMap(({ id }) => {
    const cutoff = cutoffIn(live, id);
    return cutoff ? [{ id, cutoff }] : [];
  });
  const oldest = await live.database.transaction((tx) =>
    listOldestSentAt(
      tx,
      live.organizationId,
      limited.map(({ id }) => id),
    ),
  );
  for (const { id, cutoff } of limited) {
    const sentAt = oldest.get(id);
    if (sentAt && sentAt < cutoff) yield { recipientId: id, userIds: null };
  }
  const cutoff = cutoffIn(live, undefined);
  if (!cutoff) return;
  for (let after = 0 as RecipientId; ; ) {
    const some = await live.database.transaction((tx) =>
      listExpiringConversations(tx, live.organizationId, { after, cutoff, limit: CONVERSATIONS_AT_ONCE }),
    );
    for (const { id, userIds } of some) yield { recipientId: id, userIds };
    const last = some.at(-1);
    if (!last || some.length < CONVERSATIONS_AT_ONCE) return;
    after = last.id;
  }
}

/** What was sent before it has expired, by the settings of this moment; undefined where messages are kept for ever. */
function cutoffIn(live: Live, channelId: ChannelId | undefined): Date | undefined {
  const channel = channelId === undefined ? undefined : live.get(channels).byId.get(channelId);
  if (channelId !== undefined && !channel) return undefined;
  const days = channel?.messageRetentionDays ?? settingOf(live, organizationSettings.messageRetentionDays);
  return days === FOREVER ? undefined : new Date(Date.now() - days * DAY_MS);
}

/** Deletes the oldest messages that have expired, and returns how many there were. */
async function expireSome(live: Live, { recipientId, userIds }: Place): Promise<number> {
  return changeContent(live, async (tx) => {
    const cutoff = cutoffIn(live, userIds ? undefined : (recipientId as ChannelId));
    if (!cutoff) return 0;
    const expired = await listExpiredMessages(tx, live.organizationId, { recipientId, cutoff, limit: BATCH });
    await deleteMessages(
      tx,
      expired.map((message) => ({ ...message, userIds })),
    );
    return expired.length;
  });
}
