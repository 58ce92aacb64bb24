import type { ChannelId } from "../../../api/ids.ts";
import { users } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { findCountedAt, listChannelMessages, listDays, type StatisticsDay, type Window } from "./store.ts";

const DAY_MS = 24 * 3600 * 1000;

export interface CountedDay extends StatisticsDay {
  newPeople: number;
}

export interface Statistics {
  /** undefined: the past is still being counted. */
  countedAt: Date | undefined;
  /** Each day of the window, the oldest first. */
  days: CountedDay[];
  /** All channels with messages in the window, those that a reader may not know of too. */
  channels: { channelId: ChannelId; messages: number }[];
}

/** `days`: how many. `to`: the last of them in UTC, like "2026-03-02". */
export async function readStatistics(
  state: OrganizationState,
  { days, to }: { days: number; to: string },
): Promise<Statistics> {
  const { database, organizationId } = state;
  const wanted = Array.from({ length: days }, (_, index) => daysBefore(to, days - 1 - index));
  const window: Window = { from: wanted[0] ?? to, to };
  const [countedAt, rows, channels] = await Promise.all([
    findCountedAt(database, organizationId),
    listDays(database, organizationId, window),
    listChannelMessages(database, organizationId, window),
  ]);
  const known = new Map(rows.map((row) => [row.day, row]));
  const joined = countNewPeople(state, window);
  return {
    countedAt,
    days: wanted.map((day) => ({ ...(known.get(day) ?? unknownDay(day)), newPeople: joined.get(day) ?? 0 })),
    channels,
  };
}

/** Today in UTC, like "2026-03-02". */
export function today(): string {
  return dayOf(new Date());
}

/** Whether there is such a day. `text` is like "2026-03-02". */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && dayOf(at) === text && at.getUTCFullYear() > MAX_DAYS_YEARS;
}

/** So that no window reaches to before the year 1, which PostgreSQL writes in another way. */
const MAX_DAYS_YEARS = 2;

function daysBefore(day: string, days: number): string {
  return dayOf(new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS));
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function countNewPeople(state: OrganizationState, { from, to }: Window): Map<string, number> {
  const joined = new Map<string, number>();
  for (const { botType, joinedAt } of state.get(users).all()) {
    const day = dayOf(new Date(joinedAt));
    if (botType === null && day >= from && day <= to) joined.set(day, (joined.get(day) ?? 0) + 1);
  }
  return joined;
}

function unknownDay(day: string): StatisticsDay {
  return {
    day,
    publicMessages: 0,
    privateMessages: 0,
    directMessages: 0,
    botMessages: 0,
    activePeople: null,
    activePeople7Days: null,
    activePeople28Days: null,
    owners: null,
    administrators: null,
    moderators: null,
    members: null,
    guests: null,
    deactivatedPeople: null,
    bots: null,
    publicChannels: null,
    privateChannels: null,
    archivedChannels: null,
    uploadBytes: null,
  };
}
