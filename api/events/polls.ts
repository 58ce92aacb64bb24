import { Type } from "typebox";
import { event } from "../event.ts";

export const submessageAdded = event({
  type: "submessage",
  description: "Someone took part in a poll or a list of tasks that the user can read.",
  payload: {
    submessage_id: Type.Integer({ description: "The submessage's ID." }),
    message_id: Type.Integer({ description: "The message that it belongs to." }),
    sender_id: Type.Integer({ description: "The user who took part." }),
    msg_type: Type.String({ description: "The kind of addition: always `widget`." }),
    content: Type.String({ description: "The addition, as JSON." }),
  },
  example: {
    submessage_id: 7,
    message_id: 1041,
    sender_id: 10,
    msg_type: "widget",
    content: '{"type":"vote","key":"canned,0","vote":1}',
  },
});
