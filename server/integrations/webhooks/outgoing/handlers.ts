import {
  getOutgoingWebhookExample,
  getZulipOutgoingWebhookExample,
} from "../../../../api/integrations/outgoing-webhooks.ts";
import { route } from "../../../people/viewer/route.ts";
import type { Route } from "../../../platform/http/handler.ts";

export const outgoingWebhookRoutes: Route[] = [
  route(getOutgoingWebhookExample, () => getOutgoingWebhookExample.example.reply),
  route(getZulipOutgoingWebhookExample, () => getZulipOutgoingWebhookExample.example.reply),
];
