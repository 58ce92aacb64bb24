import { callIncomingWebhook } from "../../../../api/integrations/incoming-webhooks.ts";
import { route } from "../../../people/viewer/route.ts";
import type { Route } from "../../../platform/http/handler.ts";
import { receive } from "./receive.ts";

export const incomingWebhookRoutes: Route[] = [
  route(callIncomingWebhook, async ({ viewer, params, rawBody }) => {
    if (!rawBody) throw new Error("the declaration asks for the body's bytes");
    const { reply } = await receive(viewer, params, rawBody);
    return reply ?? {};
  }),
];
