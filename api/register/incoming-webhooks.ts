import { Type } from "typebox";
import { nullable } from "../fields.ts";
import { registerSection } from "../register-section.ts";

const options = (what: string) =>
  Type.Array(
    Type.Object({
      key: Type.String({ description: "Its name." }),
      label: Type.String({ description: "What to call it in a form." }),
      validator: Type.String({ description: "What it must be: `check_string`." }),
    }),
    { description: what },
  );

export const registerIncomingWebhooks = registerSection({
  fields: {
    realm_incoming_webhook_bots: Type.Array(
      Type.Object({
        name: Type.String({ description: "The integration's name in the address of its webhook." }),
        display_name: Type.String({ description: "Its name for people." }),
        all_event_types: nullable(
          Type.Array(Type.String()),
          "The names of its events, for `only_events` and `exclude_events`; null if there is only one.",
        ),
        config_options: options("What to enter for a bot of this integration: always empty."),
        url_options: options("What the address may have besides: `secret`, if the program signs."),
      }),
      { description: "The integrations with other programs, by incoming webhooks." },
    ),
  },
});
