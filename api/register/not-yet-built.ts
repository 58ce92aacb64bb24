/**
 * Fields of subjects that the server does not have yet. Clients look for all of them, so each holds what
 * stands for nothing.
 */
import { Type } from "typebox";
import { registerSection } from "../register-section.ts";

const none = (what: string) => Type.Array(Type.Never(), { description: `${what}: always empty.` });

export const registerNotYetBuilt = registerSection({
  fields: {
    realm_embedded_bots: none("Bots that the server runs itself"),
    stop_words: Type.Array(Type.String(), { description: "Words that a search ignores: always empty." }),
    has_zoom_token: Type.Boolean({ description: "Whether the user is connected to Zoom: always false." }),
    giphy_api_key: Type.String({ description: "The key for pictures of GIPHY: always empty." }),
    realm_billing: Type.Object(
      { has_pending_sponsorship_request: Type.Boolean({ description: "Always false." }) },
      { description: "What the organization pays." },
    ),
  },
});
