import { reportMessage as endpoint } from "../../../api/reports.ts";
import type { Route } from "../../platform/http/handler.ts";
import { runContentChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { currentViewer } from "../users/current-viewer.ts";
import { route } from "../users/route.ts";
import { reportMessage } from "./report.ts";

export function reportRoutes(_services: Services): Route[] {
  return [
    route(endpoint, async ({ state, viewer, params }) => {
      const { messageId, reportType: type, description = "" } = params;
      await runContentChange(state, (tx) =>
        reportMessage(tx, currentViewer(viewer), messageId, { type, description }),
      );
      return {};
    }),
  ];
}
