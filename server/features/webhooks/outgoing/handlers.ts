import {
  getOutgoingWebhookExample,
  getZulipOutgoingWebhookExample,
} from "../../../../api/outgoing-webhooks.ts";
import type { Route } from "../../../platform/http/handler.ts";
import { route } from "../../users/route.ts";

export const outgoingWebhookRoutes: Route[] = [
  route(getOutgoingWebhookExample, () => getOutgoingWebhookExample.example.reply),
  route(getZulipOutgoingWebhookExample, () => getZulipOutgoingWebhookExample.example.reply),
];
