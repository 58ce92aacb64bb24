// What docs/accounts.md says of each way in: a call or a page that starts a session or gives out a key. The
// contract and the pages say which these are, and tests compare them with these lists.

/** @typedef {{ proof: string, limits: string, mail: string, entry: string }} WayIn */

const PASSWORDS = "wrong passwords and codes";
const LINKS = "wrong links";
const DEVICE = "new device";
const NONE = "–";
/** @param {string} proof @param {Partial<WayIn>} [more] @returns {WayIn} */
const way = (proof, more) => ({ proof, limits: NONE, mail: DEVICE, entry: NONE, ...more });

const byPassword = way("password, and a code where there is a second step", { limits: PASSWORDS });
/** The first time an identity is connected. @param {string} proof @param {string} limits */
const byProvider = (proof, limits) =>
  way(proof, { limits, mail: `${DEVICE}; first: identity`, entry: "first: `identity_connected`" });

/** Calls by their names in the contract. @type {ReadonlyMap<string, WayIn>} */
export const callsIn = new Map([
  ["startSession", byPassword],
  ["fetchApiKey", byPassword],
  ["startPasskeySignIn", way("none: it begins the sign-in", { mail: NONE })],
  ["startPasskeySession", way("a passkey")],
  ["fetchApiKeyByToken", way("a token that the organization's provider has signed", { limits: PASSWORDS })],
  ["devFetchApiKey", way("none: development servers alone have it", { mail: NONE })],
  ["getBots", way("the API key of the account, which owns the bots", { mail: NONE })],
]);

/** Pages by their method and path. @type {ReadonlyMap<string, WayIn>} */
export const pagesIn = new Map([
  ["POST /login", way("password, where there is no second step", { limits: PASSWORDS })],
  ["POST /login/second-step", way("password, then a code", { limits: PASSWORDS })],
  ["GET /auth/:id/callback", byProvider("a provider's word, in the browser that asked", NONE)],
  ["POST /auth/:id/connect", byProvider("a provider's word, and the password", PASSWORDS)],
  ["POST /auth/:id/second-step", byProvider("a provider's word, and a code", PASSWORDS)],
  [
    "POST /accounts/login/subdomain/:token",
    way("a code of five minutes that a provider's sign-in made", { limits: LINKS }),
  ],
  ["POST /join/:code", way("an invitation", { limits: LINKS, mail: NONE, entry: "`user_created`" })],
  ["POST /verify/:code", way("a link in a mail", { limits: LINKS, mail: NONE, entry: "`user_created`" })],
  [
    "POST /new/:token",
    way("the printed or mailed link", {
      limits: LINKS,
      mail: NONE,
      entry: "`organization_created`, `user_created`",
    }),
  ],
]);

/** Pages that change how an account is entered, by a link alone. @type {ReadonlyMap<string, WayIn>} */
export const pagesThatChange = new Map([
  [
    "POST /reset/:code",
    way("a link in a mail", { limits: LINKS, mail: "yes", entry: "`password_set_by_mail`" }),
  ],
  [
    "POST /verify/:code",
    way("a link in a mail, for an address that was asked for with a proof", {
      limits: LINKS,
      mail: "yes",
      entry: "`user_email_changed`",
    }),
  ],
]);
