import {
  muteUser as muteUserEndpoint,
  unmuteUser as unmuteUserEndpoint,
} from "../../../api/attention/muted-users.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { muteUser, unmuteUser } from "./actions.ts";

export const mutedUserRoutes: Route[] = [
  route(muteUserEndpoint, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => muteUser(tx, params.mutedUserId));
    return {};
  }),
  route(unmuteUserEndpoint, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => unmuteUser(tx, params.mutedUserId));
    return {};
  }),
];
