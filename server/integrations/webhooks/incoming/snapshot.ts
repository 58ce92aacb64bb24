import { registerIncomingWebhooks } from "../../../../api/register/incoming-webhooks.ts";
import { sectionOf } from "../../../people/viewer/register-section.ts";
import { integrations } from "./integrations.ts";

const secret = { key: "secret", label: "Secret of the signature", validator: "check_string" };

/** The same for everybody. */
const all = integrations.map(({ name, title, events, signature }) => {
  const names = Object.keys(events);
  return {
    name,
    display_name: title,
    all_event_types: names.length > 1 ? names : null,
    config_options: [],
    url_options: signature ? [secret] : [],
  };
});

export const incomingWebhookSection = sectionOf(registerIncomingWebhooks, ({ wants }) =>
  wants("realm_incoming_webhook_bots") ? { realm_incoming_webhook_bots: all } : undefined,
);
