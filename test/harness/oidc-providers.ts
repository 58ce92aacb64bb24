/** A server whose people sign in by OpenID providers, and those providers, some of them broken. */
import { createServer } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { users } from "../../server/people/user.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { addPerson, rosa } from "./accounts.ts";
import { expectSuccess } from "./answers.ts";
import { Browser } from "./browser.ts";
import { createHarness, type Harness, HOST, OTHER_HOST } from "./harness.ts";
import {
  CLIENT_SECRET,
  closeServer,
  type IdentityProvider,
  listenOn,
  type Person,
  startIdentityProvider,
} from "./identity-provider.ts";
import { browserOf } from "./sessions.ts";

export const SITE = `http://${HOST}`;
const ids = ["sso", "trusted", "open", "mapped", "other"];

/** Starts the server and its providers before the tests of a file, and ends them after. */
export function useProviders() {
  let provider: IdentityProvider;
  let other: IdentityProvider;
  let harness: Harness;
  /** Answers as the path says. */
  const broken = createServer((request, response) => {
    if (request.url?.startsWith("/huge")) response.end("[".repeat(2_000_000));
    else if (request.url?.startsWith("/moved")) response.writeHead(302, { location: "/huge" }).end();
    else response.writeHead(500).end("<h1>a secret of the inside</h1>");
  });

  beforeAll(async () => {
    const redirects = ids.flatMap((id) =>
      [HOST, OTHER_HOST].map((host) => `http://${host}/auth/${id}/callback`),
    );
    provider = await startIdentityProvider(ids, redirects);
    other = await startIdentityProvider(ids, redirects);
    const bad = await listenOn(broken);
    const entry = (id: string, more: object = {}) => ({
      id,
      name: `The ${id} service`,
      issuer: provider.issuer,
      client_id: id,
      client_secret: CLIENT_SECRET,
      ...more,
    });
    harness = await createHarness({
      PARLEY_OIDC: JSON.stringify([
        entry("sso"),
        entry("trusted", { trust_email: true }),
        entry("open", { join: "always", organizations: [HOST] }),
        entry("mapped", {
          join: "always",
          sync_name: true,
          roles: { claim: "roles", map: { boss: "administrator", helper: "moderator", visitor: "guest" } },
          groups: {
            claim: "groups",
            map: { kitchen: "Cooks", garden: "Gardeners", nowhere: "No such group" },
          },
        }),
        entry("other", { issuer: other.issuer }),
        entry("down", { issuer: "http://127.0.0.1:9" }),
        entry("huge", { issuer: `${bad}/huge` }),
        entry("moved", { issuer: `${bad}/moved` }),
        entry("failing", { issuer: `${bad}/failing` }),
        entry("inside", { issuer: "http://10.1.2.3" }),
        entry("plain", { issuer: "http://192.88.98.1" }),
      ]),
    });
    for (const name of ["rosa", "hans", "mira"]) {
      await addPerson(harness, `${name}@demo.test`, `${name} Vale`);
    }
  });
  afterAll(async () => {
    await harness.close();
    await Promise.all([provider.close(), other.close(), closeServer(broken)]);
  });

  const fresh = (person: Person, userAgent?: string) => {
    provider.person = other.person = { email_verified: true, ...person };
    return new Browser(harness.app, userAgent);
  };

  /** Who is signed in there, by the session's cookie. undefined: nobody. */
  async function personIn(browser: Browser, host = HOST): Promise<string | undefined> {
    const cookie = browser.cookies(host);
    if (!cookie.includes("parley-session=")) return undefined;
    return (await browserOf(harness, cookie, host).get("/users/me")).body.email;
  }

  const accountOf = (email: string) => harness.state.get(users).findByEmail(email);
  const set = (values: Record<string, unknown>) => expectSuccess(harness.as("ada").patch("/realm", values));
  const identities = () =>
    harness.services.database.query<{ subject: string; email: string; issuer: string }>(sql`
      select subject, email, issuer from external_identities i
      join users u on u.organization_id = i.organization_id and u.id = i.user_id order by 1`);

  /** Connects rosa's account with the provider `sso`, as the person `rosa-1` there. */
  async function connectRosa(): Promise<void> {
    const browser = fresh({ sub: "rosa-1", email: "rosa@demo.test" });
    const { url } = await browser.open(`${SITE}/auth/sso`);
    await browser.submit(url, rosa);
  }

  return {
    ...{ fresh, personIn, accountOf, set, identities, connectRosa },
    get harness() {
      return harness;
    },
    get provider() {
      return provider;
    },
    get other() {
      return other;
    },
  };
}
