import { alertGroup, alertMessage, alertTopic } from "../alerts.ts";
import { event, integration } from "../integration.ts";
import { textAt } from "../value-at.ts";

const alerts = (description: string) =>
  event({ description, payload: alertGroup, topic: alertTopic, message: alertMessage });

export const alertmanager = integration({
  name: "alertmanager",
  title: "Prometheus Alertmanager",
  setup: [
    "In the configuration of Alertmanager, add a receiver with `webhook_configs` whose `url` is this address:",
    "Name the receiver in a route.",
    "In place of `api_key` in the address, `http_config` can have `basic_auth` with the bot's email address and its API key.",
  ],
  eventOf: ({ payload }) => textAt(payload, "status"),
  events: {
    firing: alerts("A group has alerts that fire."),
    resolved: alerts("All alerts of a group are resolved."),
  },
});
