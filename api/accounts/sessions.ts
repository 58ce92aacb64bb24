import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_SESSION_DAYS, MAX_SESSIONS, SESSION_IDLE_DAYS } from "../limits.ts";

const session = Type.Object(
  {
    id: Type.Integer({ description: "The session's ID." }),
    device: Type.String({ description: "The browser and the system, as far as its User-Agent names them." }),
    network: Type.String({
      description: "The IP address of the last use; for IPv6 the network of its first 64 bits.",
    }),
    created_at: Type.Integer({ description: "When the person signed in: a UNIX timestamp in seconds." }),
    last_used_at: Type.Integer({
      description:
        "When the session was last used: a UNIX timestamp in seconds. It may be a minute too early.",
    }),
    is_current: Type.Boolean({ description: "Whether the request came with this session." }),
  },
  { description: "A browser that is signed in." },
);

export const startSession = endpoint({
  name: "startSession",
  subject: "Sessions",
  method: "POST",
  path: "/session",
  access: "anyone",
  summary: "Start a session",
  description: `Signs a browser in by email address and password. The response sets the cookie \`__Host-parley-session\`, or \`parley-session\` over plain http, which scripts can't read. The call must come from a page of the organization: it needs the header \`Origin\` with the organization's address, or \`Sec-Fetch-Site: same-origin\`, and the header \`X-Parley-Client\` with the name of the client. The session of a cookie that comes with the request ends. A session lasts ${MAX_SESSION_DAYS} days, and ends after ${SESSION_IDLE_DAYS} days without use. A person can have ${MAX_SESSIONS}; a further one ends the one that was not used for longest. The limits on wrong passwords are those of \`POST /fetch_api_key\`. If the password is right and the account has a second step, the call without \`code\` fails, and \`kinds\` names what can be given: \`totp\` and \`recovery_code\` as \`code\`, \`passkey\` by \`POST /session/passkey\`.`,
  parameters: {
    username: required(Type.String(), { description: "The user's email address.", aliases: ["email"] }),
    password: required(Type.String(), { description: "The user's password." }),
    code: optional(Type.String({ maxLength: 100 }), {
      description:
        "A code of the user's authenticator app, or a recovery code, where there is a second step.",
    }),
  },
  reply: {
    email: Type.String({ description: "The user's email address." }),
    user_id: Type.Integer({ description: "The user's ID." }),
    must_set_up_second_step: Type.Optional(
      Type.Boolean({
        description:
          "Present if the organization requires a second step that the user does not have. Until then the session can do nothing but set one up.",
      }),
    ),
  },
  errors: [
    errors.authenticationFailed,
    errors.userDeactivated,
    errors.usernameNotEmail,
    errors.secondStepRequired,
    errors.wrongSecondStep,
  ],
  emits: [],
  example: {
    parameters: { username: "dev@demo.test", password: "demo-password" },
    reply: { email: "dev@demo.test", user_id: 5 },
  },
  sample: (ids) => ({ username: ids.userEmail, password: "demo-password" }),
  startsSession: true,
});

export const endSession = endpoint({
  name: "endSession",
  subject: "Sessions",
  method: "DELETE",
  path: "/session",
  access: "user",
  summary: "End the current session",
  description:
    "Signs the browser out: ends the session that the request came with, and removes its cookie. Polls that the user's clients hold end at once. Event queues stay for the user's other clients.",
  parameters: {},
  reply: {},
  errors: [errors.sessionRequired],
  emits: [],
  example: { parameters: {}, reply: {} },
  sample: () => ({}),
  isForSecondStepSetup: true,
});

export const getSessions = endpoint({
  name: "getSessions",
  subject: "Sessions",
  method: "GET",
  path: "/sessions",
  access: "user",
  summary: "List own sessions",
  description:
    "Returns the browsers in which the caller is signed in, the one used last first. Programs that use the API key have no session. Bots can't call this.",
  parameters: {},
  reply: { sessions: Type.Array(session, { description: "The caller's sessions." }) },
  errors: [errors.botsNotAccepted],
  emits: [],
  example: {
    parameters: {},
    reply: {
      sessions: [
        {
          id: 12,
          device: "Firefox on Linux",
          network: "192.0.2.7",
          created_at: 1741000000,
          last_used_at: 1741086400,
          is_current: true,
        },
      ],
    },
  },
  sample: () => ({}),
});

export const endSessionById = endpoint({
  name: "endSessionById",
  subject: "Sessions",
  method: "DELETE",
  path: "/sessions/{session_id}",
  access: "user",
  summary: "End one of the own sessions",
  description: "Signs one of the caller's browsers out at once. Bots can't call this.",
  parameters: { session_id: inPath(Type.Integer(), { description: "The ID of the session." }) },
  reply: {},
  errors: [errors.botsNotAccepted, errors.sessionDoesNotExist],
  emits: [],
  example: { parameters: { session_id: 12 }, reply: {} },
  sample: (ids) => ({ session_id: ids.sessionId }),
});
