import { Type } from "typebox";
import { registerSection } from "../register-section.ts";

export const registerFlags = registerSection({
  fields: {
    starred_messages: Type.Array(Type.Integer(), {
      description: "IDs of the messages that the user starred and can read, oldest first.",
    }),
  },
});
