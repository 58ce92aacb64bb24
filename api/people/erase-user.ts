/** The erasure of a person. */
import { Type } from "typebox";
import { endpoint, inPath, optional } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { strongest } from "../proof.ts";

export const eraseUser = endpoint({
  name: "eraseUser",
  subject: "Users",
  method: "POST",
  path: "/users/{user_id}/erase",
  access: "owner",
  proof: strongest("user_erased"),
  summary: "Erase a person",
  description:
    'Deletes everything that tells who a person was, and deactivates the account and the bots that the person owns. The account stays with its ID and the name "Deleted user N", where N is the ID. It can\'t be undone. The account is erased when the call returns. What lies in large tables, such as mentions of the person in messages, follows within minutes. This call is an addition of this server.',
  parameters: {
    user_id: inPath(Type.Integer({ minimum: 0 }), { description: "The person, active or deactivated." }),
    messages: optional(Type.Enum(["keep", "delete"]), {
      description:
        "`keep`, the default: messages of the person stay under the neutral name, without what they said before they were edited. `delete`: they are deleted.",
    }),
  },
  reply: {},
  errors: [errors.noSuchUser, errors.mustBeOwner, errors.accountErased, errors.cannotDeactivateLastUser],
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
  example: { parameters: { user_id: 5, messages: "keep" }, reply: {} },
  sample: (ids) => ({ user_id: ids.userId }),
});
