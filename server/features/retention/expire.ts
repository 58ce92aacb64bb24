/**
 * Messages go when they are older than their channel keeps them, or the organization where the channel does not say; direct
 * messages follow the organization. They go a few at a time, oldest first, each time with the events that tell it, so that
 * nobody who sends waits for more than a commit.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import type { ChannelId, OrganizationId, RecipientId } from "../../../api/ids.ts";
import { organizationSettings } from "../../../api/organization-settings.ts";
import type { Database } from "../../platform/db/database.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { channels } from "../channels/channel.ts";
import { deleteMessages } from "../messages/delete/delete.ts";
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
/** Other work of the node gets its turn in between. */
const PAUSE_MS = 20;
/** Then the rest is left to another run. */
const RUN_MS = 60_000;
const PLACES_AT_ONCE = 500;

export const expireMessages = definePeriodicJob({
  name: "expire_messages",
  schedule: "23 * * * *",
  async run({ database }: Services) {
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
  async run({ database, organizations }: Services, { organizationId }, { signal }) {
    const state = await organizations.byId(organizationId as OrganizationId);
    if (!(await expireAll(state, signal))) await goOnLater(database, state);
  },
});

/** Resolves with false when there is more to do than a run may take. */
async function expireAll(state: OrganizationState, signal: AbortSignal): Promise<boolean> {
  const endsAt = Date.now() + RUN_MS;
  for await (const places of expiringPlaces(state)) {
    let isMore = true;
    while (isMore) {
      signal.throwIfAborted();
      if (Date.now() > endsAt) return false;
      isMore = (await expireSome(state, places)) === BATCH;
      await sleep(PAUSE_MS);
    }
  }
  return true;
}

function goOnLater(database: Database, { organizationId }: OrganizationState): Promise<void> {
  return enqueue(database, expireMessagesOf, { organizationId }, { key: String(organizationId) });
}

/** Channels and conversations whose oldest message has expired, some at a time. */
async function* expiringPlaces(state: OrganizationState): AsyncGenerator<readonly RecipientId[]> {
  const limited = [...state.get(channels).all()].map(({ id }) => id).filter((id) => cutoffIn(state, id));
  const oldest = await state.database.transaction((tx) =>
    listOldestSentAt(tx, state.organizationId, limited),
  );
  const expiring = limited.filter((id) => isExpired(oldest.get(id), cutoffIn(state, id)));
  while (expiring.length > 0) yield expiring.splice(0, PLACES_AT_ONCE);
  for (let after = 0 as RecipientId; ; ) {
    const cutoff = cutoffIn(state, undefined);
    if (!cutoff) return;
    const some = await state.database.transaction((tx) =>
      listExpiringConversations(tx, state.organizationId, { after, cutoff, limit: PLACES_AT_ONCE }),
    );
    const last = some.at(-1);
    if (last === undefined) return;
    yield some;
    after = last;
  }
}

function isExpired(sentAt: Date | undefined, cutoff: Date | undefined): boolean {
  return sentAt !== undefined && cutoff !== undefined && sentAt < cutoff;
}

/**
 * What was sent before it has expired, by the settings of this moment; undefined where messages are kept for ever.
 * Conversations are no channel.
 */
function cutoffIn(state: OrganizationState, channelId: ChannelId | undefined): Date | undefined {
  const own = channelId === undefined ? null : state.get(channels).byId.get(channelId)?.messageRetentionDays;
  const days = own ?? settingOf(state, organizationSettings.messageRetentionDays);
  return days === FOREVER ? undefined : new Date(Date.now() - days * DAY_MS);
}

/** Deletes some of the messages that have expired in these places, and returns how many. */
async function expireSome(state: OrganizationState, places: readonly RecipientId[]): Promise<number> {
  return runContentChange(state, async (tx) => {
    const { byId } = state.get(channels);
    // The settings may have changed since the places were found.
    const limited = places.flatMap((id) => {
      const cutoff = cutoffIn(state, byId.has(id as ChannelId) ? (id as ChannelId) : undefined);
      return cutoff ? [{ id, cutoff }] : [];
    });
    const expired = await listExpiredMessages(tx, state.organizationId, limited, BATCH);
    await deleteMessages(tx, expired);
    return expired.length;
  });
}
