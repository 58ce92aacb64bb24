import { ApiError, errors } from "../../../api/errors.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { findKnownByEmail, findKnownById } from "../../people/access/access.ts";
import { userSettingOf } from "../../people/settings/user-setting.ts";
import type { User } from "../../people/user.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { announceReturn } from "./events.ts";
import { type Presence, presences } from "./presences.ts";
import { isPresenceDisabled } from "./present.ts";

/**
 * Notes in memory that the viewer is there, unless they or the organization turned that off. Others get an
 * event if the viewer was offline. Throws `botsNotAccepted` and `invalidPresenceStatus`.
 */
export async function reportPresence(viewer: Viewer, status: string, now = Date.now()): Promise<void> {
  const { state, user } = viewer;
  checkPerson(viewer);
  if (status !== "active" && status !== "idle") throw new ApiError(errors.invalidPresenceStatus, { status });
  if (isPresenceDisabled(state) || !userSettingOf(user, userSettings.presenceEnabled)) return;
  const all = state.get(presences);
  if (!all.report(user.id, status === "active", now)) return;
  await announceReturn(viewer, all.find(user.id, now) as Presence, now);
}

/** A person who is not deactivated, with their presence. The text is an id or a known email address. */
export function accessPresence(
  { state, user: reader }: Viewer,
  who: string,
): { user: User; presence: Presence } {
  const isId = /^\d{1,15}$/.test(who);
  const user = isId ? findKnownById(state, reader, Number(who)) : findKnownByEmail(state, reader, who);
  if (!user?.isActive || user.isSystem) throw new ApiError(errors.noSuchUser);
  if (user.botType !== null) throw new ApiError(errors.noPresenceOfBots);
  const presence = isPresenceDisabled(state) ? undefined : state.get(presences).find(user.id);
  if (!presence) throw new ApiError(errors.noPresenceData, { who });
  return { user, presence };
}
