/** The end of an account, and its return. */
import { Type } from "typebox";
import { endpoint, inPath, optional } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_DEACTIVATION_COMMENT_LENGTH } from "../limits.ts";

const userId = (description: string) => inPath(Type.Integer({ minimum: 0 }), { description });

export const deactivateUser = endpoint({
  name: "deactivateUser",
  subject: "Users",
  method: "DELETE",
  path: "/users/{user_id}",
  access: "administrator",
  summary: "Deactivate a user",
  description:
    "Deactivates a person and the bots that they own. They can't sign in any more, their API keys stop working and their event queues end at once. Only owners can deactivate an owner.",
  parameters: {
    user_id: userId("The person."),
    deactivation_notification_comment: optional(Type.String({ maxLength: MAX_DEACTIVATION_COMMENT_LENGTH }), {
      description: "A text for the person. It is accepted, but this server does not send it yet.",
    }),
  },
  reply: {},
  errors: [errors.noSuchUser, errors.targetDeactivated, errors.mustBeOwner, errors.onlyOwnerStays],
  emits: [
    "stream/update",
    "subscription/peer_remove",
    "realm_user/remove",
    "realm_user/update",
    "user_group/update",
    "user_group/remove_members",
    "realm/update_dict",
    "realm_bot/delete",
    "realm_bot/update",
    "invites_changed",
  ],
  example: { parameters: { user_id: 5 }, reply: {} },
  sample: (ids) => ({ user_id: ids.userId }),
});

export const deactivateOwnUser = endpoint({
  name: "deactivateOwnUser",
  subject: "Users",
  method: "DELETE",
  path: "/users/me",
  access: "user",
  proof: { rules: [{ level: "strongest", entry: "user_deactivated", botsPass: true }] },
  summary: "Deactivate own account",
  description: "Deactivates the caller's account and the bots that the caller owns.",
  parameters: {},
  reply: {},
  errors: [errors.cannotDeactivateLastUser],
  emits: [
    "stream/update",
    "subscription/peer_remove",
    "realm_user/update",
    "user_group/update",
    "user_group/remove_members",
    "realm/update_dict",
    "realm_bot/delete",
    "realm_bot/update",
    "invites_changed",
  ],
  example: { parameters: {}, reply: {} },
  sample: () => ({}),
});

export const reactivateUser = endpoint({
  name: "reactivateUser",
  subject: "Users",
  method: "POST",
  path: "/users/{user_id}/reactivate",
  access: "administrator",
  proof: {
    // Somebody who was an administrator has the role again, with the password of then.
    rules: [{ level: "strongest", administrator: "user_id", entry: "user_reactivated", givesHighRole: true }],
  },
  summary: "Reactivate a user",
  description:
    "Reactivates a person or bot, with the role, subscriptions and groups from before, and with a new API key. Nothing changes for an active account. Only owners can reactivate an owner. For a bot, the caller must be one who could make such a bot.",
  parameters: { user_id: userId("The person or bot.") },
  reply: {},
  errors: [
    errors.noSuchUser,
    errors.mustBeOwner,
    errors.accountErased,
    errors.botOwnerDeactivated,
    errors.insufficientPermission,
    errors.personalLimit,
    errors.tooManyInOrganization,
  ],
  emits: [
    "stream/update",
    "subscription/peer_add",
    "realm_user/add",
    "realm_user/update",
    "user_status",
    "user_group/update",
    "user_group/add_members",
    "realm/update_dict",
    "realm_bot/add",
    "realm_bot/update",
  ],
  example: { parameters: { user_id: 5 }, reply: {} },
  sample: (ids) => ({ user_id: ids.userId }),
});
