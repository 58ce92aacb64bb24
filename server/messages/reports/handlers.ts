import { reportMessage as reportMessageEndpoint } from "../../../api/messages/reports.ts";
import { Quotas } from "../../people/quotas/quotas.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { reportMessage } from "./report.ts";

export function reportRoutes({ config }: Pick<Services, "config">): Route[] {
  const quotas = new Quotas(config);
  return [
    route(reportMessageEndpoint, async ({ viewer, params }) => {
      const { messageId, reportType: type, description = "" } = params;
      await changeContent(viewer, async (tx) => {
        await quotas.use(tx, "reports");
        await reportMessage(tx, messageId, { type, description });
      });
      return {};
    }),
  ];
}
