import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { settingOf } from "../../organization/setting.ts";
import { canAccessUser, isLimitedGuest } from "../../people/access/user-access.ts";
import { shownEmail } from "../../people/email/email-visibility.ts";
import { type User, users } from "../../people/user.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { type Presence, presences } from "./presences.ts";

const DAY_MS = 24 * 3600 * 1000;
/** Somebody who was active so shortly before the last connection counts as active, in the older form. */
const ACTIVE_BEFORE_MS = 70_000;

export interface PresenceQuery {
  isSlim: boolean;
  /** The newest batch that the client knows; undefined or -1: none. */
  sinceUpdateId: number | undefined;
  historyLimitDays: number;
}

/** The presence of the people whom the viewer may know of, with what the client sends next time. */
export function presentPresences({ state, user: reader }: Viewer, query: PresenceQuery) {
  const server_timestamp = Date.now() / 1000;
  if (isPresenceDisabled(state)) return { ...noPresences, server_timestamp };
  const all = state.get(presences);
  const { isSlim, sinceUpdateId = -1, historyLimitDays } = query;
  const key = `${isSlim} ${sinceUpdateId} ${historyLimitDays} ${state.get(users).version}`;
  const answer = () => {
    const chosen = sinceUpdateId < 0 ? all.all() : all.changedSince(sinceUpdateId);
    return write(state, reader, chosen, isSlim, Date.now() - historyLimitDays * DAY_MS);
  };
  return {
    presences: isLimitedGuest(state, reader) ? answer() : all.answer(key, answer),
    presence_last_update_id: all.lastUpdateId,
    server_timestamp,
  };
}

export const noPresences = { presences: {}, presence_last_update_id: -1 };

/** Nobody sees when others are there. */
export function isPresenceDisabled(state: OrganizationState): boolean {
  return settingOf(state, organizationSettings.presenceDisabled);
}

export function presentPresence(user: User, { activeAt, connectedAt }: Presence) {
  return {
    active_timestamp: inSeconds(activeAt || Date.parse(user.joinedAt)),
    idle_timestamp: inSeconds(connectedAt),
  };
}

/** COMPAT: the newest report, for clients that expect one time and whether somebody was active then. */
export function presentLegacyPresence(presence: Presence) {
  const website = {
    client: "website" as const,
    ...newestOf(presence),
    pushable: false as const,
  };
  const { pushable, ...aggregated } = website;
  return { website, aggregated };
}

export function newestOf({ activeAt, connectedAt }: Presence) {
  const isActive = activeAt + ACTIVE_BEFORE_MS >= connectedAt;
  return {
    status: isActive ? ("active" as const) : ("idle" as const),
    timestamp: inSeconds(isActive ? activeAt : connectedAt),
  };
}

/** Bots and people who are deactivated are left out, and people of whom the reader may not know. */
function write(
  state: OrganizationState,
  reader: User,
  chosen: Iterable<Presence>,
  isSlim: boolean,
  from: number,
): RawJson {
  const { byId } = state.get(users);
  const members: string[] = [];
  for (const presence of chosen) {
    if (presence.connectedAt < from) continue;
    const user = byId.get(presence.userId);
    if (!user?.isActive || !canAccessUser(state, reader, user)) continue;
    members.push(isSlim ? writeSlim(user, presence) : writeLegacy(state, user, presence));
  }
  return new RawJson(`{${members.join(",")}}`);
}

function writeSlim(user: User, presence: Presence): string {
  const { active_timestamp, idle_timestamp } = presentPresence(user, presence);
  return `"${user.id}":{"active_timestamp":${active_timestamp},"idle_timestamp":${idle_timestamp}}`;
}

function writeLegacy(state: OrganizationState, user: User, presence: Presence): string {
  return `${JSON.stringify(shownEmail(state, user))}:${JSON.stringify(presentLegacyPresence(presence))}`;
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
