import { Type } from "typebox";
import { event } from "../event.ts";
import { described } from "../fields.ts";
import { bot, changedBot, exampleBot } from "../integrations/bots.ts";

export const botAdded = event({
  type: "realm_bot",
  op: "add",
  description: "There is a bot that the user owns, or may manage as an administrator.",
  payload: { bot: described(bot, "The bot.") },
  example: { bot: exampleBot },
});

export const botUpdated = event({
  type: "realm_bot",
  op: "update",
  description: "A bot that the user owns, or may manage as an administrator, changed.",
  payload: { bot: described(changedBot, "The bot's ID, and the fields that changed.") },
  example: { bot: { user_id: 25, full_name: "Build Bot 2" } },
});

export const botRemoved = event({
  type: "realm_bot",
  op: "delete",
  description:
    "The user may no longer manage a bot: it has another owner, or the user another role. A bot that is deactivated is updated instead.",
  payload: {
    bot: Type.Object(
      { user_id: Type.Integer({ description: "The bot's ID." }) },
      { description: "Which one." },
    ),
  },
  example: { bot: { user_id: 25 } },
});
