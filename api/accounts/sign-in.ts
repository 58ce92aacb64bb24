import { Type } from "typebox";
import { endpoint, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_DEVELOPMENT_USERS, MAX_JWT_LENGTH } from "../limits.ts";
import { exampleUser, user } from "../people/user.ts";

const keyReply = {
  api_key: Type.String({ description: "The user's API key: the password of HTTP Basic authentication." }),
  email: Type.String({
    description: "The user's email address: the user name of HTTP Basic authentication.",
  }),
  user_id: Type.Integer({ description: "The user's ID." }),
};

const exampleKey = { api_key: "<API_KEY>", email: "dev@demo.test", user_id: 5 };

/** Its signature is that of no key. */
const exampleToken = "eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImRldkBkZW1vLnRlc3QifQ.c2lnbmF0dXJl";

export const fetchApiKey = endpoint({
  name: "fetchApiKey",
  subject: "Sign in",
  method: "POST",
  path: "/fetch_api_key",
  access: "anyone",
  summary: "Sign in by password",
  description:
    "Returns the API key of the user with this email address and password. After five wrong passwords for one email address from one network, all further attempts for it from there fail for half an hour. After twenty wrong passwords from one network, the same holds for all users who have not signed in from there before. Failures elsewhere delay a user only in networks that are new to the user. For an account with a second step the password alone is refused. So is an account that has none where the organization requires one: its person signs in by a browser and sets it up. Programs that can't give `code` need the API key itself.",
  parameters: {
    username: required(Type.String(), { description: "The user's email address." }),
    password: required(Type.String(), { description: "The user's password." }),
    code: optional(Type.String({ maxLength: 100 }), {
      description:
        "A code of the user's authenticator app, or a recovery code, where there is a second step.",
    }),
  },
  reply: keyReply,
  errors: [
    errors.authenticationFailed,
    errors.userDeactivated,
    errors.usernameNotEmail,
    errors.secondStepRequired,
    errors.wrongSecondStep,
    errors.secondStepSetupRequired,
  ],
  emits: [],
  example: { parameters: { username: "dev@demo.test", password: "demo-password" }, reply: exampleKey },
  sample: (ids) => ({ username: ids.userEmail, password: "demo-password" }),
});

export const fetchApiKeyByToken = endpoint({
  name: "fetchApiKeyByToken",
  subject: "Sign in",
  method: "POST",
  path: "/jwt/fetch_api_key",
  access: "anyone",
  summary: "Sign in by JSON web token",
  description:
    "Returns the API key of the user whose email address is the claim `email` of a JSON web token. The token is signed by a key that the server's operator has set up for the organization. The claims `exp` and `nbf` are checked where they are there. A token with the claim `aud` is meant for another service and is refused. Wrong tokens have the limits of wrong passwords.",
  parameters: {
    token: required(Type.String({ maxLength: MAX_JWT_LENGTH }), { description: "The signed token." }),
    include_profile: optional(Type.Boolean(), {
      description: "Whether the reply has the user's account; `false` by default.",
    }),
  },
  reply: {
    api_key: keyReply.api_key,
    email: keyReply.email,
    user: Type.Optional({ ...user, description: "The user's account, if asked for." } as typeof user),
  },
  errors: [
    errors.jwtNotEnabled,
    errors.jwtMissing,
    errors.badJwt,
    errors.jwtWithoutEmail,
    errors.authenticationFailed,
    errors.userDeactivated,
  ],
  emits: [],
  example: {
    parameters: { token: exampleToken, include_profile: true },
    reply: { api_key: "<API_KEY>", email: "dev@demo.test", user: exampleUser },
  },
  sample: () => ({ token: exampleToken, include_profile: true }),
});

export const devFetchApiKey = endpoint({
  name: "devFetchApiKey",
  subject: "Sign in",
  method: "POST",
  path: "/dev_fetch_api_key",
  access: "anyone",
  summary: "Sign in on a development server",
  description:
    "Returns the API key of any user without asking for a password. On a production server it always fails.",
  parameters: { username: required(Type.String(), { description: "The user's email address." }) },
  reply: keyReply,
  errors: [errors.authenticationFailed, errors.userDeactivated, errors.usernameNotEmail],
  emits: [],
  example: { parameters: { username: "dev@demo.test" }, reply: exampleKey },
  sample: (ids) => ({ username: ids.userEmail }),
  developmentOnly: true,
});

const developmentUser = Type.Object({
  email: Type.String({ description: "The email address to sign in with." }),
  realm_url: Type.String({ description: "The address of the user's organization." }),
  realm_uri: Type.String({ description: "Equal to realm_url, for older clients." }),
});

const exampleDeveloper = (email: string) => ({
  email,
  realm_url: "http://demo.test",
  realm_uri: "http://demo.test",
});

export const devListUsers = endpoint({
  name: "devListUsers",
  subject: "Sign in",
  method: "GET",
  path: "/dev_list_users",
  access: "anyone",
  summary: "List who can sign in on a development server",
  description: `Returns the active people of the organization, by email address, at most ${MAX_DEVELOPMENT_USERS} in each list. On a production server it always fails.`,
  parameters: {},
  reply: {
    direct_admins: Type.Array(developmentUser, { description: "The owners and administrators." }),
    direct_users: Type.Array(developmentUser, { description: "Everybody else." }),
  },
  errors: [],
  emits: [],
  example: {
    parameters: {},
    reply: {
      direct_admins: [exampleDeveloper("ada@demo.test")],
      direct_users: [exampleDeveloper("dev@demo.test")],
    },
  },
  sample: () => ({}),
  developmentOnly: true,
});

export const regenerateApiKey = endpoint({
  name: "regenerateApiKey",
  subject: "Sign in",
  method: "POST",
  path: "/users/me/api_key/regenerate",
  access: "user",
  proof: { rules: [{ level: "API key", entry: "own_api_key_replaced" }] },
  summary: "Replace own API key",
  description:
    "Gives the caller a new API key in place of the old one, which stops working at once. Event queues stay: the caller's clients go on with the new key. A request with a session can't do this: sign in by password first, for the API key. Bots can't call this.",
  parameters: {},
  reply: { api_key: Type.String({ description: "The caller's new API key." }) },
  errors: [errors.botsNotAccepted, errors.apiKeyRequired],
  emits: [],
  example: { parameters: {}, reply: { api_key: "<API_KEY>" } },
  sample: () => ({}),
});
