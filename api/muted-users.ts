import { Type } from "typebox";
import { endpoint, inPath } from "./endpoint.ts";
import { errors } from "./errors.ts";

const mutedUserId = inPath(Type.Integer({ minimum: 0 }), { description: "The person or bot." });

export const muteUser = endpoint({
  name: "muteUser",
  subject: "Muted users",
  method: "POST",
  path: "/users/me/muted_users/{muted_user_id}",
  access: "user",
  summary: "Mute a user",
  description:
    "Mutes somebody for the caller. All that they have sent is marked read, and what they send from now on is read when it comes.",
  parameters: { muted_user_id: mutedUserId },
  reply: {},
  errors: [errors.cannotMuteSelf, errors.noSuchUser, errors.userAlreadyMuted],
  example: { parameters: { muted_user_id: 10 }, reply: {} },
  sample: (ids) => ({ muted_user_id: ids.userId }),
});

export const unmuteUser = endpoint({
  name: "unmuteUser",
  subject: "Muted users",
  method: "DELETE",
  path: "/users/me/muted_users/{muted_user_id}",
  access: "user",
  summary: "Unmute a user",
  description: "Ends the muting of somebody. What came meanwhile stays read.",
  parameters: { muted_user_id: mutedUserId },
  reply: {},
  errors: [errors.cannotMuteSelf, errors.noSuchUser, errors.userNotMuted],
  example: { parameters: { muted_user_id: 10 }, reply: {} },
  sample: (ids) => ({ muted_user_id: ids.userId }),
});
