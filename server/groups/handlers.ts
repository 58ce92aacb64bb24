import { getUserGroups } from "../../api/groups.ts";
import { type Route, route } from "../http/handler.ts";
import type { Services } from "../services.ts";
import { presentGroups } from "./present.ts";

export function groupRoutes(_services: Services): Route[] {
  return [
    route(getUserGroups, ({ live, params }) => ({
      user_groups: presentGroups(live, {
        includeDeactivated: params.includeDeactivatedGroups ?? false,
      }) as never,
    })),
  ];
}
