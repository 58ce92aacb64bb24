import { reportMessage as reportMessageEndpoint } from "../../../api/reports.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { changeContent } from "../users/change.ts";
import { route } from "../users/route.ts";
import { reportMessage } from "./report.ts";

export function reportRoutes(_services: Services): Route[] {
  return [
    route(reportMessageEndpoint, async ({ viewer, params }) => {
      const { messageId, reportType: type, description = "" } = params;
      await changeContent(viewer, (tx) => reportMessage(tx, messageId, { type, description }));
      return {};
    }),
  ];
}
