import { muteUser as muteEndpoint, unmuteUser as unmuteEndpoint } from "../../../api/muted-users.ts";
import type { Route } from "../../platform/http/handler.ts";
import { changeState } from "../users/change.ts";
import { route } from "../users/route.ts";
import { muteUser, unmuteUser } from "./actions.ts";

export const mutedUserRoutes: Route[] = [
  route(muteEndpoint, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => muteUser(tx, params.mutedUserId));
    return {};
  }),
  route(unmuteEndpoint, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => unmuteUser(tx, params.mutedUserId));
    return {};
  }),
];
