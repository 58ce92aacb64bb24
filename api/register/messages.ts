import { Type } from "typebox";
import { registerSection } from "../register-section.ts";

export const registerMessages = registerSection({
  fields: {
    max_message_id: Type.Integer({ description: "The newest message that the user received; -1 for none." }),
    recent_private_conversations: Type.Array(
      Type.Object({
        max_message_id: Type.Integer({ description: "The newest message of the conversation." }),
        user_ids: Type.Array(Type.Integer(), { description: "IDs of the other people in it." }),
      }),
      { description: "Recent direct-message conversations, the newest first." },
    ),
  },
});
