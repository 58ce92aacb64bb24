import { addSubmessage as addEndpoint } from "../../../api/polls.ts";
import type { Route } from "../../platform/http/handler.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { route } from "../users/route.ts";
import { addSubmessage } from "./actions.ts";

export function submessageRoutes(_services: Services): Route[] {
  return [
    route(addEndpoint, async ({ state, viewer, params }) => {
      await runContentChange(state, (tx) =>
        addSubmessage(tx, currentViewer(viewer), params.messageId, params.content),
      );
      return {};
    }),
  ];
}
