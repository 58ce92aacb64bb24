import { alertGroup, alertMessage, alertTopic } from "../alerts.ts";
import { event, integration } from "../integration.ts";
import { textAt } from "../value-at.ts";

const alerts = (description: string) =>
  event({ description, payload: alertGroup, topic: alertTopic, message: alertMessage });

export const grafana = integration({
  name: "grafana",
  title: "Grafana",
  setup: [
    "In Grafana, open Alerting, Contact points, add one of the type Webhook, and paste this address as its URL:",
    "Leave the method at POST. In place of `api_key` in the address, you can fill in the fields for basic authentication: the bot's email address and its API key.",
    "If you enter a secret for HMAC signatures, put the same into the address as `secret`, and leave the timestamp's header empty.",
    "Name the contact point in a notification policy.",
  ],
  signature: { headers: ["X-Grafana-Alerting-Signature"], kind: "hmac-sha256" },
  eventOf: ({ payload }) => textAt(payload, "status"),
  events: {
    firing: alerts("A group has alerts that fire."),
    resolved: alerts("All alerts of a group are resolved."),
  },
});
