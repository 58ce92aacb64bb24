import {
  DEFAULT_PRESENCE_HISTORY_DAYS,
  getPresence,
  getUserPresence,
  reportPresence as reportPresenceEndpoint,
} from "../../../api/profiles/presence.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { accessPresence, reportPresence } from "./actions.ts";
import { OFFLINE_AFTER_MS } from "./presences.ts";
import { newestOf, presentPresences } from "./present.ts";

export const presenceRoutes: Route[] = [
  route(reportPresenceEndpoint, async ({ viewer, params }) => {
    await reportPresence(viewer, params.status);
    if (params.pingOnly) return {};
    return presentPresences(viewer, {
      isSlim: params.slimPresence === true || params.lastUpdateId !== undefined,
      sinceUpdateId: params.lastUpdateId,
      historyLimitDays: params.historyLimitDays ?? DEFAULT_PRESENCE_HISTORY_DAYS,
    });
  }),
  route(getUserPresence, ({ viewer, params }) => {
    const { presence } = accessPresence(viewer, params.userIdOrEmail);
    const { status, timestamp } = newestOf(presence);
    const isOffline = Date.now() - timestamp * 1000 > OFFLINE_AFTER_MS;
    const aggregated = { status: isOffline ? ("offline" as const) : status, timestamp };
    return { presence: { website: { status, timestamp }, aggregated } };
  }),
  route(getPresence, ({ viewer }) =>
    presentPresences(viewer, {
      isSlim: false,
      sinceUpdateId: undefined,
      historyLimitDays: DEFAULT_PRESENCE_HISTORY_DAYS,
    }),
  ),
];
