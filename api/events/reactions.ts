import { Type } from "typebox";
import { event } from "../event.ts";

const payload = {
  emoji_name: Type.String({ description: "The emoji's name." }),
  emoji_code: Type.String({ description: "Identifies the emoji within its reaction type." }),
  reaction_type: Type.String({ description: "`unicode_emoji`, `realm_emoji` or `service_extra_emoji`." }),
  user_id: Type.Integer({ description: "Who reacted." }),
  message_id: Type.Integer({ description: "The message." }),
  user: Type.Object(
    {
      user_id: Type.Integer({ description: "The person's ID." }),
      email: Type.String({ description: "The person's API email." }),
      full_name: Type.String({ description: "The person's name." }),
      is_mirror_dummy: Type.Boolean({ description: "Always false here." }),
    },
    { description: "Deprecated: the user who reacted." },
  ),
};
const example = {
  emoji_name: "octopus",
  emoji_code: "1f419",
  reaction_type: "unicode_emoji",
  user_id: 10,
  message_id: 1041,
  user: { user_id: 10, email: "dev@demo.test", full_name: "Dev Rao", is_mirror_dummy: false },
};

export const reactionAdded = event({
  type: "reaction",
  op: "add",
  description: "Someone reacted to a message that the user can read.",
  payload,
  example,
});

export const reactionRemoved = event({
  type: "reaction",
  op: "remove",
  description: "Someone removed a reaction to a message that the user can read.",
  payload,
  example,
});
