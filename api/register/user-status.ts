import { Type } from "typebox";
import { userStatus } from "../profiles/user-status.ts";
import { registerSection } from "../register-section.ts";

export const registerUserStatus = registerSection({
  fields: {
    user_status: Type.Record(
      Type.String(),
      Type.Object(userStatus, { description: "The parts that are not empty." }),
      { description: "What people say that they are doing, by user ID." },
    ),
  },
});
