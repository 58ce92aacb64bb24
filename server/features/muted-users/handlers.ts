import { muteUser as muteEndpoint, unmuteUser as unmuteEndpoint } from "../../../api/muted-users.ts";
import type { Route } from "../../platform/http/handler.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { route } from "../users/route.ts";
import { muteUser, unmuteUser } from "./actions.ts";

export function mutedUserRoutes(_services: Services): Route[] {
  return [
    route(muteEndpoint, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) => muteUser(tx, currentViewer(viewer), params.mutedUserId));
      return {};
    }),
    route(unmuteEndpoint, async ({ state, viewer, params }) => {
      await runStateChange(state, (tx) => unmuteUser(tx, currentViewer(viewer), params.mutedUserId));
      return {};
    }),
  ];
}
