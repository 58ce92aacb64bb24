/** What administrators can change in other people's accounts. */
import { Type } from "typebox";
import { endpoint, inPath, optional } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { userRole } from "../fields.ts";
import { MAX_FULL_NAME_LENGTH, MAX_PROFILE_FIELDS, MIN_FULL_NAME_LENGTH } from "../limits.ts";
import { valueRules } from "../profiles/profile-field.ts";
import { profileValueErrors } from "../profiles/profile-fields.ts";
import { given, ofRole, type Proof } from "../proof.ts";
import { roles } from "../roles.ts";

const changes = {
  full_name: optional(Type.String(), {
    description: `The new name, of ${MIN_FULL_NAME_LENGTH} to ${MAX_FULL_NAME_LENGTH} characters.`,
  }),
  role: optional(userRole, {
    description:
      "The new role: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. Only owners can give or take the role of an owner.",
  }),
  new_email: optional(Type.String(), {
    description:
      "The new email address. For a person, the organization must allow the address. Only administrators to whom the server's operator has granted that can change addresses.",
  }),
  profile_data: optional(
    Type.Array(
      Type.Object({
        id: Type.Integer({ description: "The custom profile field." }),
        value: Type.Union([Type.String(), Type.Array(Type.Integer()), Type.Null()], {
          description: valueRules,
        }),
      }),
      { maxItems: MAX_PROFILE_FIELDS },
    ),
    { description: "New values of custom profile fields. Bots have none." },
  ),
};

const changeErrors = [
  errors.noSuchUser,
  errors.mustBeOwner,
  errors.accountErased,
  errors.onlyOwnerKeepsRole,
  errors.fullNameLength,
  errors.invalidFullName,
  errors.nameTaken,
  errors.emailChangeNotAllowed,
  errors.invalidEmail,
  errors.emailTaken,
  ...profileValueErrors,
  errors.noProfileDataOfBots,
  errors.emailNotAllowed,
  errors.disposableEmail,
  errors.emailWithPlus,
];

const description =
  "Changes a person or bot, active or deactivated. What is not given stays as it is. Only owners can change an owner. All clients get an event for each change.";

/** With a new address one can have a link for a new password mailed there, and gets the role. */
const proofBy = (account: "user_id" | "email"): Proof => {
  const change = { when: { new_email: given }, entry: "user_email_changed" };
  return {
    rules: [
      ...ofRole("role", account, "user_role_changed"),
      { level: "strongest", ...change, administrator: account, givesHighRole: true },
      { level: "in a session", ...change },
    ],
  };
};

export const updateUser = endpoint({
  name: "updateUser",
  subject: "Users",
  method: "PATCH",
  path: "/users/{user_id}",
  access: "administrator",
  proof: proofBy("user_id"),
  summary: "Update a user",
  description,
  parameters: {
    user_id: inPath(Type.Integer({ minimum: 0 }), { description: "The person or bot." }),
    ...changes,
  },
  reply: {},
  errors: changeErrors,
  emits: [
    "update_message_flags/add",
    "stream/create",
    "stream/delete",
    "subscription/peer_add",
    "default_streams",
    "default_stream_groups",
    "realm_user/add",
    "realm_user/remove",
    "realm_user/update",
    "user_status",
    "user_group/add_members",
    "user_group/remove_members",
    "realm_bot/add",
    "realm_bot/delete",
    "realm_bot/update",
  ],
  example: { parameters: { user_id: 5, role: roles.moderator }, reply: {} },
  sample: (ids) => ({ user_id: ids.userId, full_name: `Pat ${ids.freshName}` }),
});

export const updateUserByEmail = endpoint({
  name: "updateUserByEmail",
  subject: "Users",
  method: "PATCH",
  path: "/users/{email}",
  access: "administrator",
  proof: proofBy("email"),
  summary: "Update a user by email",
  description: `${description} The address is the real one, if the caller may see it, or \`user{user_id}@{host}\`.`,
  parameters: {
    email: inPath(Type.String(), { description: "An email address of the user." }),
    ...changes,
  },
  reply: {},
  errors: changeErrors,
  emits: ["realm_user/update"],
  example: { parameters: { email: "dev@demo.test", full_name: "Dev Raman" }, reply: {} },
  sample: (ids) => ({ email: ids.userEmail, full_name: `Pat ${ids.freshName}` }),
});
