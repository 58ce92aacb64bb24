/**
 * Deletes messages that are older than their channel keeps them. Where a channel has no setting, the
 * organization's applies; direct messages always use the organization's. Messages are deleted in small
 * batches, oldest first, each batch together with its events. So a sender never waits for more than one
 * commit.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import type { ChannelId, OrganizationId, RecipientId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import type { Database, Queryable } from "../../platform/db/database.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { asManyAsOneChange, deleteMessages } from "../delete/delete.ts";
import { type Grace, lookAtGrace } from "./grace.ts";
import { FOREVER, longest } from "./policy.ts";
import {
  listExpiredMessages,
  listExpiringConversations,
  listExpiringOrganizations,
  listOldestSentAt,
} from "./store.ts";

const DAY_MS = 24 * 3600 * 1000;
/**
 * Clients that don't support bulk deletion get one event per message, so up to this many entries go into the
 * log at once.
 */
const BATCH = 200;
/** The pause lets other work of the node run in between. */
const PAUSE_MS = 20;
/** After this time, the rest is left to another run. */
const RUN_MS = 60_000;
const PLACES_AT_ONCE = 500;

export const expireMessages = definePeriodicJob({
  name: "expire_messages",
  schedule: "23 * * * *",
  async run({ database }: Pick<Services, "database">) {
    await database.transaction(
      async (tx) => {
        for (const organizationId of await listExpiringOrganizations(tx)) {
          await enqueue(tx, expireMessagesOf, { organizationId }, { key: String(organizationId) });
        }
      },
      { lane: "background" },
    );
  },
});

export const expireMessagesOf = defineJob({
  name: "expire_messages_of",
  payload: Type.Object({ organizationId: Type.Integer() }),
  async run(
    { database, log, organizations }: Pick<Services, "database" | "log" | "organizations">,
    { organizationId },
    { signal },
  ) {
    const state = await organizations.byId(organizationId as OrganizationId);
    if (!state.get(organization).isActive) return;
    const now = new Date();
    const look = (tx: Queryable) => lookAtGrace(tx, state, now);
    const grace = await database.transaction(look, { lane: "background" });
    if (grace.missedMs !== undefined) {
      const days = Math.floor(grace.missedMs / DAY_MS);
      log.warn(
        { organizationId, days, waitsUntil: grace.waitsUntil },
        "by the clock, nobody has looked for expired messages for days; if it is wrong, set it within a day",
      );
    }
    if (grace.waitsUntil > now) return;
    if (!(await expireAll({ state, now, grace }, signal))) await goOnLater(database, state);
  },
});

/** What is decided once for a run, so that no clock and no shorter time comes in between. */
interface Run {
  state: OrganizationState;
  now: Date;
  grace: Grace;
}

/** Resolves with false when there is more to do than one run may take. */
async function expireAll(run: Run, signal: AbortSignal): Promise<boolean> {
  const endsAt = Date.now() + RUN_MS;
  for await (const places of expiringPlaces(run)) {
    let isMore = true;
    while (isMore) {
      signal.throwIfAborted();
      if (Date.now() > endsAt) return false;
      isMore = await expireSome(run, places);
      await sleep(PAUSE_MS);
    }
  }
  return true;
}

function goOnLater(database: Database, { organizationId }: OrganizationState): Promise<void> {
  return enqueue(database, expireMessagesOf, { organizationId }, { key: String(organizationId) });
}

/** Channels and conversations whose oldest message has expired, in batches. */
async function* expiringPlaces(run: Run): AsyncGenerator<readonly RecipientId[]> {
  const { state, now } = run;
  const limited = [...state.get(channels).all()].map(({ id }) => id).filter((id) => cutoffIn(run, id));
  const oldest = await state.database.transaction(
    (tx) => listOldestSentAt(tx, state.organizationId, limited, now),
    { lane: "background" },
  );
  const expiring = limited.filter((id) => isExpired(oldest.get(id), cutoffIn(run, id)));
  while (expiring.length > 0) yield expiring.splice(0, PLACES_AT_ONCE);
  for (let after = 0 as RecipientId; ; ) {
    const cutoff = cutoffIn(run, undefined);
    if (!cutoff) return;
    const asked = { after, cutoff, now, limit: PLACES_AT_ONCE };
    const some = await state.database.transaction(
      (tx) => listExpiringConversations(tx, state.organizationId, asked),
      { lane: "background" },
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
 * Messages sent before this time have expired, by the current settings. undefined: messages are kept forever.
 * Without a channel: direct messages. Nothing of a deactivated organization is deleted.
 */
function cutoffIn({ state, now, grace }: Run, channelId: ChannelId | undefined): Date | undefined {
  if (!state.get(organization).isActive) return undefined;
  const own = channelId === undefined ? null : state.get(channels).byId.get(channelId)?.messageRetentionDays;
  const current = own ?? settingOf(state, organizationSettings.messageRetentionDays);
  const days = longest(current, grace.daysOf(channelId));
  return days === FOREVER ? undefined : new Date(now.getTime() - days * DAY_MS);
}

/** Deletes some of the expired messages in these places. Resolves with whether there may be more. */
async function expireSome(run: Run, places: readonly RecipientId[]): Promise<boolean> {
  const { state, now } = run;
  return runContentChange(state, async (tx) => {
    const { byId } = state.get(channels);
    // The settings may have changed since the places were found.
    const limited = places.flatMap((id) => {
      const cutoff = cutoffIn(run, byId.has(id as ChannelId) ? (id as ChannelId) : undefined);
      return cutoff ? [{ id, cutoff }] : [];
    });
    const expired = await listExpiredMessages(tx, state.organizationId, limited, {
      now,
      limit: BATCH,
    });
    const some = await asManyAsOneChange(tx, expired);
    await deleteMessages(tx, some);
    return some.length < expired.length || expired.length === BATCH;
  });
}
