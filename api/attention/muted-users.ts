import { Type } from "typebox";
import { endpoint, inPath } from "../endpoint.ts";
import { errors } from "../errors.ts";

const mutedUserId = inPath(Type.Integer({ minimum: 0 }), { description: "The person or bot." });

export const muteUser = endpoint({
  name: "muteUser",
  subject: "Muted users",
  method: "POST",
  path: "/users/me/muted_users/{muted_user_id}",
  access: "user",
  summary: "Mute a user",
  description:
    "Mutes a user for the caller. All messages from that user are marked as read, and later ones are read on arrival.",
  parameters: { muted_user_id: mutedUserId },
  reply: {},
  errors: [errors.cannotMuteSelf, errors.noSuchUser, errors.userAlreadyMuted],
  emits: ["update_message_flags/add", "muted_users"],
  example: { parameters: { muted_user_id: 5 }, reply: {} },
  sample: (ids) => ({ muted_user_id: ids.userId }),
});

export const unmuteUser = endpoint({
  name: "unmuteUser",
  subject: "Muted users",
  method: "DELETE",
  path: "/users/me/muted_users/{muted_user_id}",
  access: "user",
  summary: "Unmute a user",
  description: "Unmutes a user for the caller. Messages that arrived in the meantime stay read.",
  parameters: { muted_user_id: mutedUserId },
  reply: {},
  errors: [errors.cannotMuteSelf, errors.noSuchUser, errors.userNotMuted],
  emits: ["muted_users"],
  example: { parameters: { muted_user_id: 5 }, reply: {} },
  sample: (ids) => ({ muted_user_id: ids.userId }),
});
