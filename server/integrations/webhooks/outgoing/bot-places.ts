/**
 * How many calls of one bot are under way in this process. A bot whose program is slow would otherwise take
 * all the room of its organization, and other bots would wait for it.
 */
import type { UserId } from "../../../../api/ids.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";

const PLACES = 4;

const taken = new WeakMap<OrganizationState, Map<UserId, number>>();

export function hasPlace(state: OrganizationState, botId: UserId): boolean {
  return (taken.get(state)?.get(botId) ?? 0) < PLACES;
}

/** Takes a place of the bot, and returns what gives it back. undefined: none is free. */
export function takePlace(state: OrganizationState, botId: UserId): (() => void) | undefined {
  const counts = taken.get(state) ?? new Map<UserId, number>();
  taken.set(state, counts);
  if (!hasPlace(state, botId)) return undefined;
  counts.set(botId, (counts.get(botId) ?? 0) + 1);
  return () => {
    const left = (counts.get(botId) ?? 0) - 1;
    if (left > 0) counts.set(botId, left);
    else counts.delete(botId);
  };
}
