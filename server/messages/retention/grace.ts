/**
 * What expires is deleted for good, so two mistakes have a day to be noticed: a time that was shortened, and
 * a clock that was set forward. Each run reads when the run before it was and which rules it used, and notes
 * its own.
 */
import type { ChannelId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { daysHeld, nextHolds, ORGANIZATION, policyOf } from "./policy.ts";
import { lockExpiry, upsertExpiry } from "./store.ts";

const DAY_MS = 24 * 3600 * 1000;

export interface Grace {
  /** Nothing is deleted before this time. */
  waitsUntil: Date;
  /** How long ago messages were last looked for, if that is longer than it should be. */
  missedMs: number | undefined;
  /** For how many days messages of a channel, or direct messages, are kept at least. */
  daysOf(channelId: ChannelId | undefined): number;
}

export async function lookAtGrace(tx: Queryable, state: OrganizationState, now: Date): Promise<Grace> {
  const { organizationId } = state;
  const policy = policyOf(state);
  const end = new Date(now.getTime() + DAY_MS);
  const before = await lockExpiry(tx, organizationId);
  const since = before && now.getTime() - before.lookedAt.getTime();
  const missedMs = since !== undefined && since > DAY_MS ? since : undefined;
  // A clock that was ahead may have written a time that is too late.
  const waitsUntil =
    before && missedMs === undefined ? new Date(Math.min(Number(before.waitsUntil), Number(end))) : end;
  const holds = before ? nextHolds(before, policy, { now: Number(now), until: Number(end) }) : {};
  await upsertExpiry(tx, organizationId, { lookedAt: now, waitsUntil, policy, holds });
  return {
    waitsUntil,
    missedMs,
    daysOf: (channelId) => daysHeld(policy, holds, String(channelId ?? ORGANIZATION)),
  };
}
