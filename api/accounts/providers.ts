import { Type } from "typebox";
import { endpoint, inPath } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_EXTERNAL_IDENTITIES } from "../limits.ts";
import { strongest } from "../proof.ts";

const identity = Type.Object(
  {
    id: Type.Integer({ description: "The identity's ID." }),
    provider: Type.String({ description: "The provider's ID, as in the address of its sign-in." }),
    provider_name: Type.String({
      description: "Its name for people. The ID, if the server no longer has this provider.",
    }),
    connected_by: Type.Enum(["password", "email", "joining"], {
      description:
        "What connected it: `password`, the account's password; `email`, an address that the provider has verified; `joining`, the account was made by it.",
    }),
    connected_at: Type.Integer({ description: "When it was connected: a UNIX timestamp in seconds." }),
    last_used_at: Type.Integer({ description: "When somebody last signed in by it, in UNIX seconds." }),
  },
  { description: "An account at a sign-in provider by which the caller's account can be entered." },
);

export const getIdentities = endpoint({
  name: "getIdentities",
  subject: "Providers",
  method: "GET",
  path: "/identities",
  access: "user",
  summary: "List own identities",
  description: `Returns the accounts at sign-in providers by which somebody can sign in to the caller's account, the oldest first. There are at most ${MAX_EXTERNAL_IDENTITIES}. Bots can't call this.`,
  parameters: {},
  reply: { identities: Type.Array(identity, { description: "The caller's identities." }) },
  errors: [errors.botsNotAccepted],
  emits: [],
  example: {
    parameters: {},
    reply: {
      identities: [
        {
          id: 7,
          provider: "google",
          provider_name: "Google",
          connected_by: "password",
          connected_at: 1741000000,
          last_used_at: 1741086400,
        },
      ],
    },
  },
  sample: () => ({}),
});

export const removeIdentity = endpoint({
  name: "removeIdentity",
  subject: "Providers",
  method: "DELETE",
  path: "/identities/{identity_id}",
  access: "user",
  proof: strongest("identity_removed"),
  summary: "Remove an identity",
  description: `Nobody can sign in by it any more, unless it is connected again. All other sessions of the caller end, and the caller gets a mail. Bots can't call this.`,
  parameters: {
    identity_id: inPath(Type.Integer(), { description: "The ID of the identity." }),
  },
  reply: {},
  errors: [errors.botsNotAccepted, errors.identityDoesNotExist],
  emits: [],
  example: { parameters: { identity_id: 7, password: "demo-password" }, reply: {} },
  sample: (ids) => ({ identity_id: ids.identityId }),
});
