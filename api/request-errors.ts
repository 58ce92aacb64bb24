/** The errors of a request itself, and of its caller. Part of `errors`. */
import { bad, declare, unauthorized } from "./error-declaration.ts";

export const requestErrors = {
  // Any endpoint: the request itself.
  missingParameter: declare<{ name: string }>(
    "REQUEST_VARIABLE_MISSING",
    400,
    ({ name }) => `Missing '${name}' argument`,
    ({ name }) => ({ var_name: name }),
  ),
  invalidParameter: declare<{ name: string; value: string }>(
    "REQUEST_VARIABLE_INVALID",
    400,
    ({ name, value }) => `Bad value for '${name}': ${value}`,
    ({ name, value }) => ({ var_name: name, bad_value: value }),
  ),
  conflictingParameters: declare<{ first: string; second: string }>(
    "REQUEST_CONFUSING_VAR",
    400,
    ({ first, second }) => `Give '${first}' or '${second}', not both`,
    ({ first, second }) => ({ var_name1: first, var_name2: second }),
  ),
  notJson: bad<{ name: string }>(({ name }) => `Argument "${name}" is not valid JSON.`),
  wrongType: bad<{ name: string; expected: string }>(({ name, expected }) => `${name} is not ${expected}`),
  tooLong: bad<{ name: string; limit: number }>(
    ({ name, limit }) => `${name} is too long (limit: ${limit} characters)`,
  ),
  nulCharacter: bad<{ name: string }>(({ name }) => `${name} contains a NUL character`),
  unreadableBody: bad("The request's body could not be read."),
  bodyNotJson: bad("The request's body is not valid JSON, which its Content-Type says it is."),
  bodyNotObject: bad("The request's body must be a JSON object whose members are the parameters."),
  bodyTooDeep: bad("The JSON in the request's body is nested too deep."),
  notFound: declare<never>("NOT_FOUND", 404, "There is no endpoint or page at this address."),
  unknownHost: declare<{ host: string }>(
    "NONEXISTENT_SUBDOMAIN",
    404,
    ({ host }) => `No organization is served under the host name '${host}'.`,
  ),
  methodNotAllowed: declare<{ allowed: string[] }>(undefined, 405, "Method Not Allowed", ({ allowed }) => ({
    allowed_methods: allowed,
  })),
  bodyTooLarge: declare<never>("BAD_REQUEST", 413, "The request's body is too large."),
  fileTooLarge: declare<{ limit: number }>(
    "BAD_REQUEST",
    413,
    ({ limit }) => `Uploaded file is larger than the allowed limit of ${limit} MiB`,
  ),
  tooManyFiles: bad<{ limit: number }>(
    ({ limit }) => `The request has more files than the allowed ${limit}.`,
  ),
  addressTooLong: declare<never>("BAD_REQUEST", 414, "The request's address is too long."),
  requestTimeout: declare<never>("BAD_REQUEST", 408, "The request did not arrive in time."),
  headersTooLarge: declare<never>("BAD_REQUEST", 431, "The request's headers are too large."),
  invalidHttp: bad("The request is not valid HTTP."),
  rateLimitHit: declare<{ retryAfter: number }>(
    "RATE_LIMIT_HIT",
    429,
    "API usage exceeded rate limit",
    ({ retryAfter }) => ({ "retry-after": retryAfter }),
  ),
  botsLimitHit: declare<{ retryAfter: number; limit: number; seconds: number }>(
    "RATE_LIMIT_HIT",
    429,
    ({ limit, seconds }) =>
      `The bots of one person can make ${limit} calls in ${seconds} seconds together. Wait, or call less often; events tell of changes.`,
    ({ retryAfter }) => ({ "retry-after": retryAfter }),
  ),
  tooManyPasswords: declare<{ retryAfter: number }>(
    "RATE_LIMIT_HIT",
    429,
    "Many people sign in at this moment. Try again in a few seconds.",
    ({ retryAfter }) => ({ "retry-after": retryAfter }),
  ),
  tooManyWrongPasswords: declare<{ retryAfter: number; wait: string }>(
    "RATE_LIMIT_HIT",
    429,
    ({ wait }) =>
      `There were too many wrong passwords. Try again in ${wait}, or ask the server's administrator.`,
    ({ retryAfter }) => ({ "retry-after": retryAfter }),
  ),
  tooManyWrongCodes: declare<{ retryAfter: number; wait: string }>(
    "RATE_LIMIT_HIT",
    429,
    ({ wait }) => `There were too many wrong codes. Try again in ${wait}, or ask the server's administrator.`,
    ({ retryAfter }) => ({ "retry-after": retryAfter }),
  ),
  tooManyBodies: declare<never>(
    "SERVER_NOT_READY",
    503,
    "The server is receiving too much at once; try again shortly.",
  ),
  overQuota: bad<{ what: string; limit: number }>(
    ({ what, limit }) => `One person can make at most ${limit} ${what} an hour.`,
  ),
  internal: declare<never>(undefined, 500, "Internal server error"),
  shuttingDown: declare<never>("SERVER_NOT_READY", 503, "The server is stopping; try again shortly."),
  databaseAway: declare<never>(
    "SERVER_NOT_READY",
    503,
    "The server can't reach its database; try again shortly.",
  ),
  outcomeUnknown: declare<never>(
    undefined,
    500,
    "The server lost its database meanwhile; this may have been done or not, so look before you try again.",
  ),
  serverBusy: declare<never>(
    "SERVER_NOT_READY",
    503,
    "The server is too busy to do this now; nothing was changed, so try again shortly.",
  ),
  filesAway: declare<never>(
    "FILES_AWAY",
    503,
    "The server can't reach the storage of its files now; try again shortly.",
  ),
  diskFull: declare<never>(
    "DISK_FULL",
    503,
    "The server's disk is full or can't be written, so nothing was changed. Tell the server's administrator.",
  ),
  outOfMemory: declare<never>(
    "OUT_OF_MEMORY",
    503,
    "The server's database has too little memory for this now; nothing was changed, so try again shortly.",
  ),
  tooManyConnections: declare<never>(
    "TOO_MANY_CONNECTIONS",
    503,
    "The server's database takes no more connections now; try again shortly.",
  ),

  // Any endpoint: who is calling.
  notLoggedIn: unauthorized("Not logged in: API authentication or user session required"),
  basicAuthRequired: bad("This endpoint requires HTTP basic authentication."),
  invalidAuthorization: unauthorized("Invalid authorization header for basic auth"),
  crossSiteCredentials: unauthorized("Credentials are not accepted in requests from other sites"),
  foreignOrigin: declare<never>("UNAUTHORIZED", 403, "Requests from pages of other sites are not accepted"),
  clientNotNamed: declare<never>(
    "UNAUTHORIZED",
    403,
    "A request with a session needs the header X-Parley-Client.",
  ),
  sessionEnded: unauthorized("The session has ended. Sign in again."),
  bearerKeyRequired: unauthorized(
    "Send an API key: as 'Bearer <API key>', or with an email address as Basic.",
  ),
  malformedApiKey: unauthorized("Malformed API key"),
  invalidApiKey: unauthorized("Invalid API key"),
  accountDeactivated: unauthorized("Account is deactivated"),
  writeOnlyBot: unauthorized("This API is not available to incoming webhook bots."),
  organizationDeactivated: declare<never>("REALM_DEACTIVATED", 401, "This organization has been deactivated"),
  insufficientPermission: bad("Insufficient permission"),
  mustBeAdministrator: declare<never>("UNAUTHORIZED_PRINCIPAL", 400, "Must be an organization administrator"),
  mustBeOwner: declare<never>("UNAUTHORIZED_PRINCIPAL", 400, "Must be an organization owner"),
  mustBeMember: declare<never>("UNAUTHORIZED_PRINCIPAL", 400, "Must be an organization member"),

  apiKeyRequired: bad("This needs the API key. A session is not enough."),
  sessionRequired: bad("This ends the session of a browser, and the request has none."),
  /** Only sessions are refused: API keys, and what they are used for, go on. */
  secondStepSetupRequired: declare<never>(
    "SECOND_STEP_SETUP_REQUIRED",
    403,
    "Your organization requires a second step of you. Set one up first.",
  ),
  sessionDoesNotExist: declare<never>("BAD_REQUEST", 404, "Session does not exist"),

  // Signing in.
  authenticationFailed: declare<never>(
    "AUTHENTICATION_FAILED",
    401,
    "Your username or password is incorrect",
  ),
  secondStepRequired: declare<{ kinds: string[] }>(
    "SECOND_STEP_REQUIRED",
    403,
    "The account has a second step: a code is needed too. Programs that ask for the password alone need the API key.",
    ({ kinds }) => ({ kinds }),
  ),
  wrongSecondStep: declare<never>("SECOND_STEP_WRONG", 403, "The code is wrong, or was used before."),
  passkeyNotAccepted: declare<never>(
    "PASSKEY_NOT_ACCEPTED",
    403,
    "The passkey was not accepted. Try again, or sign in in another way.",
  ),
  recentProofRequired: declare<{ kinds: string[] }>(
    "RECENT_PROOF_REQUIRED",
    403,
    "Confirm that it is you: by a code or a passkey if you have a second step, otherwise by your password.",
    ({ kinds }) => ({ kinds }),
  ),
  noProofThere: declare<never>(
    "RECENT_PROOF_REQUIRED",
    403,
    "This needs your password, and you have none. Ask for a link to set one, on the page for signing in.",
    () => ({ kinds: [] }),
  ),
  passwordSetByMail: declare<{ until: string }>(
    "PASSWORD_SET_BY_MAIL",
    403,
    ({ until }) =>
      `Your password was set by a link in a mail. So until ${until} you can't give anybody the role of an administrator or owner, or the key of such a bot. Ask another owner, or wait. A second step that you had before would do.`,
  ),
  loginMailsNeeded: bad(
    "Administrators and owners get a mail about each sign-in from a new device, and can't switch it off.",
  ),
  secondStepExists: bad("An authenticator app is set up already. Remove it first."),
  noSecondStep: bad("There is no such second step."),
  secondStepNotStarted: bad("Start to set up the authenticator app first."),
  secondStepNeeded: bad("Your organization requires a second step of you, and this is your only one."),
  passkeyDoesNotExist: declare<never>("BAD_REQUEST", 404, "Passkey does not exist"),
  identityDoesNotExist: declare<never>("BAD_REQUEST", 404, "Identity does not exist"),
  passkeyExists: bad("This passkey is there already."),
  tooManyPasskeys: bad<{ limit: number }>(({ limit }) => `You can have at most ${limit} passkeys.`),
  userDeactivated: declare<never>("USER_DEACTIVATED", 401, "Your account has been deactivated"),
  passwordAuthDisabled: declare<never>(
    "PASSWORD_AUTH_DISABLED",
    401,
    "Password sign-in is disabled in this organization",
  ),
  usernameNotEmail: bad("Enter a valid email address."),
  jwtNotEnabled: bad("JWT authentication is not enabled for this organization"),
  jwtMissing: bad("No JSON web token passed in request"),
  badJwt: bad("Bad JSON web token"),
  jwtWithoutEmail: bad("No email specified in JSON web token claims"),
  developmentOnly: bad("This endpoint is only available on a development server."),
};
