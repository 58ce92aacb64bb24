/**
 * For how many days an organization keeps its messages, and for how long an earlier, longer time goes on to
 * hold.
 */
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { channels } from "../../channels/channel.ts";
import { settingOf } from "../../organization/setting.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

/** Stands in place of a number of days. */
export const FOREVER = -1;
/** The name of a place that follows the organization, as direct messages do. */
export const ORGANIZATION = "organization";

/** Days by place: the organization's, and those of channels that have a number of their own, by their ids. */
export type Policy = Readonly<Record<string, number>>;

/** A place that was to keep messages for longer goes on to do so until then, in milliseconds. */
export type Holds = Readonly<Record<string, { days: number; until: number }>>;

export function policyOf(state: OrganizationState): Policy {
  const policy: Record<string, number> = {
    [ORGANIZATION]: settingOf(state, organizationSettings.messageRetentionDays),
  };
  for (const { id, messageRetentionDays } of state.get(channels).all()) {
    if (messageRetentionDays !== null) policy[id] = messageRetentionDays;
  }
  return policy;
}

/**
 * The holds after the policy was `before` with these holds. Each place whose days became fewer keeps the most
 * that it had, until `until`.
 */
export function nextHolds(
  before: { policy: Policy; holds: Holds },
  policy: Policy,
  { now, until }: { now: number; until: number },
): Holds {
  const holds: Record<string, { days: number; until: number }> = {};
  for (const place of new Set([before.policy, policy, before.holds].flatMap((each) => Object.keys(each)))) {
    const [was, is] = [daysIn(before.policy, place), daysIn(policy, place)];
    const held = before.holds[place];
    // A clock that was ahead may have made a hold that is too long.
    const end = isShorter(is, was) ? until : Math.min(held?.until ?? now, until);
    const days = held && held.until > now ? longest(was, held.days) : was;
    if (end > now && isShorter(is, days)) holds[place] = { days, until: end };
  }
  return holds;
}

/** For how many days a place keeps its messages at least. */
export function daysHeld(policy: Policy, holds: Holds, place: string): number {
  const follows = policy[place] === undefined ? [ORGANIZATION, place] : [place];
  return follows.reduce((days, each) => longest(days, holds[each]?.days ?? 0), daysIn(policy, place));
}

function daysIn(policy: Policy, place: string): number {
  return policy[place] ?? policy[ORGANIZATION] ?? FOREVER;
}

export function longest(one: number, other: number): number {
  return one === FOREVER || other === FOREVER ? FOREVER : Math.max(one, other);
}

function isShorter(days: number, than: number): boolean {
  return days !== than && longest(days, than) === than;
}
