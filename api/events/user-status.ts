import { Type } from "typebox";
import { event } from "../event.ts";
import { userStatus } from "../profiles/user-status.ts";

export const userStatusChanged = event({
  type: "user_status",
  description:
    "Somebody's status changed. The event has only the parts that were set; an empty text means that the part was removed. A part that it does not have stays as it was.",
  payload: { user_id: Type.Integer({ description: "The person." }), ...userStatus },
  example: {
    user_id: 10,
    status_text: "On vacation",
    emoji_name: "car",
    emoji_code: "1f697",
    reaction_type: "unicode_emoji",
  },
});
