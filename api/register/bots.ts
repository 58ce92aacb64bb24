import { Type } from "typebox";
import { bot } from "../integrations/bots.ts";
import { registerSection } from "../register-section.ts";

export const registerBots = registerSection({
  fields: {
    realm_bots: Type.Array(bot, {
      description: "The bots that the user owns, and for administrators those that they may manage.",
    }),
  },
});
