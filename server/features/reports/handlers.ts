import { reportMessage as reportMessageEndpoint } from "../../../api/reports.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { changeContent } from "../users/change.ts";
import { route } from "../users/route.ts";
import { reportMessage } from "./report.ts";
import { ReportLimit } from "./report-limit.ts";

export function reportRoutes({ config }: Services): Route[] {
  const limit = new ReportLimit();
  return [
    route(reportMessageEndpoint, async ({ viewer, params }) => {
      const { messageId, reportType: type, description = "" } = params;
      const report = () => changeContent(viewer, (tx) => reportMessage(tx, messageId, { type, description }));
      await (config.hasRateLimits ? limit.count(viewer, report) : report());
      return {};
    }),
  ];
}
