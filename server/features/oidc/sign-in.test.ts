import { createServer } from "node:http";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { roles } from "../../../api/roles.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { Browser } from "../../../test/harness/browser.ts";
import { createHarness, type Harness, HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import {
  CLIENT_SECRET,
  closeServer,
  type IdentityProvider,
  listenOn,
  type Person,
  startIdentityProvider,
} from "../../../test/harness/identity-provider.ts";
import { browserOf } from "../../../test/harness/sessions.ts";
import { sql } from "../../platform/db/sql.ts";
import { groups } from "../groups/group.ts";
import { users } from "../users/user.ts";

const SITE = `http://${HOST}`;
const PASSWORD = "correct horse battery";
const ids = ["sso", "trusted", "open", "mapped", "other"];
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
        groups: { claim: "groups", map: { kitchen: "Cooks", garden: "Gardeners", nowhere: "No such group" } },
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
    const account = { email: `${name}@demo.test`, full_name: `${name} Vale`, password: PASSWORD };
    await expectSuccess(harness.as("ada").post("/users", account));
  }
});
afterAll(async () => {
  await harness.close();
  await Promise.all([provider.close(), other.close(), closeServer(broken)]);
});
afterEach(() => vi.restoreAllMocks());

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

describe("what clients can know", () => {
  test("the server settings list the providers in order, and /login links to them", async () => {
    const { body } = await harness.nobody().get("/server_settings");
    expect(body.external_authentication_methods).toHaveLength(11);
    expect(body.external_authentication_methods[0]).toEqual({
      name: "oidc:sso",
      display_name: "The sso service",
      display_icon: null,
      login_url: "/auth/sso",
      signup_url: "/auth/sso",
    });
    expect(body.authentication_methods).toMatchObject({
      password: true,
      "openid connect": true,
      github: false,
    });
    const page = await new Browser(harness.app).open(`${SITE}/login?next=/settings`);
    expect(page.body).toContain('href="/auth/sso?next=%2Fsettings"');
    expect(page.body).not.toContain("<script");
    const state = await harness.as("dev").post("/register", { fetch_event_types: ["realm"] });
    expect(state.body.realm_authentication_methods).toEqual({
      Email: { enabled: true, available: true },
      "OpenID Connect": { enabled: true, available: true },
    });
  });

  test("an organization has only its own providers", async () => {
    const { body } = await harness.nobody(OTHER_HOST).get("/server_settings");
    const names = body.external_authentication_methods.map(({ name }: { name: string }) => name);
    expect(names).not.toContain("oidc:open");
    expect((await new Browser(harness.app).open(`http://${OTHER_HOST}/auth/open`)).status).toBe(404);
    const nowhere = await new Browser(harness.app).open("http://nobody.test/auth/sso");
    expect(nowhere.url).toBe("http://nobody.test/");
  });
});

describe("somebody with an account", () => {
  test("connects it by the password once, and later signs in without it", async () => {
    const browser = fresh({ sub: "rosa-1", email: "rosa@demo.test" });
    const form = await browser.open(`${SITE}/auth/sso?next=/settings`);
    expect([form.status, form.url]).toEqual([200, `${SITE}/auth/sso/connect`]);
    expect(form.body).toContain('value="rosa@demo.test"');
    expect(await personIn(browser)).toBeUndefined();
    const wrong = await browser.submit(form.url, { username: "rosa@demo.test", password: "wrong" });
    expect([wrong.status, await personIn(browser)]).toEqual([403, undefined]);
    const right = await browser.submit(form.url, { username: "rosa@demo.test", password: PASSWORD });
    expect(right.url).toBe(`${SITE}/settings`);
    expect(await personIn(browser)).toBe("rosa@demo.test");
    const again = fresh({ sub: "rosa-1", email: "renamed@elsewhere.test", email_verified: false });
    expect((await again.open(`${SITE}/auth/sso?next=/settings`)).url).toBe(`${SITE}/settings`);
    expect(await personIn(again)).toBe("rosa@demo.test");
  });

  test("is found by issuer and subject, and never by the subject alone", async () => {
    const browser = fresh({ sub: "rosa-1", email: "nobody@elsewhere.test" });
    expect((await browser.open(`${SITE}/auth/other`)).url).toBe(`${SITE}/auth/other/connect`);
    expect(await personIn(browser)).toBeUndefined();
  });

  test("needs no password where the operator trusts the verified address", async () => {
    const unverified = fresh({ sub: "hans-0", email: "hans@demo.test", email_verified: false });
    expect((await unverified.open(`${SITE}/auth/trusted`)).body).toContain("does not confirm");
    const browser = fresh({ sub: "hans-1", email: "Hans@demo.test" });
    await browser.open(`${SITE}/auth/trusted`);
    expect(await personIn(browser)).toBe("hans@demo.test");
    // The provider has given the address to another person since.
    const successor = fresh({ sub: "hans-2", email: "hans@demo.test" });
    expect((await successor.open(`${SITE}/auth/trusted`)).url).toContain("/connect");
    expect(await personIn(successor)).toBeUndefined();
  });

  test("learns nothing about accounts by an address that is not verified", async () => {
    const pages = [];
    for (const email of ["rosa@demo.test", "unknown@demo.test"]) {
      const browser = fresh({ sub: `probe ${email}`, email, email_verified: false });
      pages.push((await browser.open(`${SITE}/auth/sso`)).body.replaceAll(email, "ADDRESS"));
    }
    expect(pages[0]).toBe(pages[1]);
  });

  test("is refused while the account is deactivated", async () => {
    const user = accountOf("hans@demo.test");
    await expectSuccess(harness.as("ada").delete(`/users/${user?.id}`));
    const browser = fresh({ sub: "hans-1", email: "hans@demo.test" });
    const page = await browser.open(`${SITE}/auth/trusted`);
    expect([page.status, await personIn(browser)]).toEqual([403, undefined]);
    expect(page.body).toContain("deactivated");
  });

  test("gets another session than the one that the browser had", async () => {
    const browser = fresh({ sub: "rosa-1" });
    await browser.open(`${SITE}/auth/sso`);
    const before = browser.cookies(HOST);
    await browser.open(`${SITE}/auth/sso`);
    expect(browser.cookies(HOST)).not.toBe(before);
    expect((await browserOf(harness, before).get("/users/me")).status).toBe(401);
  });

  test("can't be led to another site afterwards", async () => {
    const browser = fresh({ sub: "rosa-1" });
    expect((await browser.open(`${SITE}/auth/sso?next=//evil.example/`)).url).toBe(`${SITE}/`);
  });
});

describe("somebody without an account", () => {
  test("needs an invitation, and the page says so", async () => {
    const browser = fresh({ sub: "new-1", email: "new1@elsewhere.test", name: "New One" });
    const page = await browser.open(`${SITE}/auth/sso`);
    expect(page.body).toContain("You need an invitation");
    expect(accountOf("new1@elsewhere.test")).toBeUndefined();
  });

  test("joins with a link's code, in the role of the invitation", async () => {
    const invited = { invite_as: roles.guest };
    const { invite_link } = await expectSuccess(harness.as("ada").post("/invites/multiuse", invited));
    const code = new URL(invite_link).pathname.split("/").at(-1);
    const browser = fresh({ sub: "new-2", email: "new2@elsewhere.test", name: "New *Two*" });
    const join = await browser.open(`${SITE}/join/${code}`);
    const [, path] = /href="(\/auth\/sso\?join=[^"]+)"/.exec(join.body) ?? [];
    await browser.open(`${SITE}${path}`);
    expect(await personIn(browser)).toBe("new2@elsewhere.test");
    expect(accountOf("new2@elsewhere.test")).toMatchObject({ fullName: "New Two", role: roles.guest });
  });

  test("can't join by a link with an address that is not verified", async () => {
    const { invite_link } = await expectSuccess(harness.as("ada").post("/invites/multiuse", {}));
    const code = new URL(invite_link).pathname.split("/").at(-1);
    const browser = fresh({ sub: "new-3", email: "new3@elsewhere.test", email_verified: false });
    await browser.open(`${SITE}/auth/sso?join=${code}`);
    expect([await personIn(browser), accountOf("new3@elsewhere.test")]).toEqual([undefined, undefined]);
  });

  test("joins without an invitation where none is needed, but only from allowed domains", async () => {
    await set({ invite_required: false });
    await expectSuccess(
      harness.as("ada").post("/realm/domains", { domain: "kitchen.example", allow_subdomains: false }),
    );
    await set({ emails_restricted_to_domains: true });
    const foreign = fresh({ sub: "new-4", email: "new4@elsewhere.test", name: "New Four" });
    expect((await foreign.open(`${SITE}/auth/sso`)).body).toContain("not allowed in this organization");
    const unverified = fresh({ sub: "new-5", email: "new5@kitchen.example", email_verified: false });
    await unverified.open(`${SITE}/auth/sso`);
    expect(accountOf("new5@kitchen.example")).toBeUndefined();
    const browser = fresh({ sub: "new-5", email: "new5@kitchen.example", name: "New Five" });
    await browser.open(`${SITE}/auth/sso`);
    expect(await personIn(browser)).toBe("new5@kitchen.example");
    await set({ emails_restricted_to_domains: false, invite_required: true });
  });

  test("joins in any case by a provider for everybody, once, also by two tabs at the same time", async () => {
    const person = { sub: "new-6", email: "new6@elsewhere.test", name: "New Six" };
    const tabs = [fresh(person), fresh(person)];
    await Promise.all(tabs.map((tab) => tab.open(`${SITE}/auth/open`)));
    expect((await identities()).filter(({ subject }) => subject === "new-6")).toHaveLength(1);
    const again = fresh(person);
    await again.open(`${SITE}/auth/open`);
    expect(await personIn(again)).toBe("new6@elsewhere.test");
  });

  test("gets a name from the address if the provider has none that fits", async () => {
    await fresh({ sub: "new-7", email: "nora.seven@elsewhere.test", name: "`" }).open(`${SITE}/auth/open`);
    expect(accountOf("nora.seven@elsewhere.test")?.fullName).toBe("nora.seven");
  });
});

describe("a sign-in that is not the browser's own", () => {
  const person = { sub: "rosa-1", email: "rosa@demo.test" };
  /** Walks up to the way back, and returns its address without opening it. */
  async function callbackOf(browser: Browser, id = "sso", host = HOST): Promise<string> {
    browser.onRedirect = (url) => (url.includes("/callback?") ? undefined : url);
    const { url } = await browser.open(`http://${host}/auth/${id}`);
    browser.onRedirect = (each) => each;
    expect(url).toContain(`/auth/${id}/callback?code=`);
    return url;
  }
  /** 400: it is refused here. 502: it is refused after a question to the provider. */
  async function expectRefused(browser: Browser, url: string, { status = 400, host = HOST } = {}) {
    const page = await browser.open(url);
    expect([page.status, await personIn(browser, host)]).toEqual([status, undefined]);
  }

  test("is refused in another browser, and with another state", async () => {
    const browser = fresh(person);
    const callback = await callbackOf(browser);
    await expectRefused(new Browser(harness.app), callback);
    const forged = new URL(callback);
    forged.searchParams.set("state", "A".repeat(43));
    await expectRefused(browser, forged.href);
    // That has not even ended the one that is under way.
    expect((await browser.open(callback)).url).toBe(`${SITE}/`);
    expect(await personIn(browser)).toBe("rosa@demo.test");
  });

  test("is refused a second time, also with the cookie of the first time", async () => {
    const browser = fresh(person);
    const callback = await callbackOf(browser);
    const replayer = new Browser(harness.app);
    replayer.setCookies(HOST, browser.cookies(HOST));
    await browser.open(callback);
    expect(await personIn(browser)).toBe("rosa@demo.test");
    await expectRefused(replayer, callback, { status: 502 });
  });

  test("is refused with a code that the provider gave for another nonce or another verifier", async () => {
    for (const [name, value] of [
      ["nonce", "another-nonce"],
      ["code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"],
    ] as const) {
      const browser = fresh(person);
      browser.onRedirect = (url) => {
        const changed = new URL(url);
        if (changed.pathname === "/auth" && changed.searchParams.has(name))
          changed.searchParams.set(name, value);
        return changed.href;
      };
      const page = await browser.open(`${SITE}/auth/sso`);
      expect([name, page.status, await personIn(browser)]).toEqual([name, 502, undefined]);
    }
  });

  test("is refused at another provider, and with the name of another issuer", async () => {
    const browser = fresh(person);
    const callback = await callbackOf(browser);
    await expectRefused(browser, callback.replace("/auth/sso/", "/auth/other/"));
    const mixed = new URL(callback);
    mixed.searchParams.set("iss", other.issuer);
    await expectRefused(browser, mixed.href, { status: 502 });
  });

  test("is refused at another organization", async () => {
    const browser = fresh(person);
    const callback = await callbackOf(browser);
    browser.setCookies(OTHER_HOST, browser.cookies(HOST));
    await expectRefused(browser, callback.replace(HOST, OTHER_HOST), { host: OTHER_HOST });
  });

  test("is refused after ten minutes", async () => {
    const browser = fresh(person);
    const then = Date.now() - 601_000;
    browser.onRedirect = () => undefined;
    vi.spyOn(Date, "now").mockReturnValue(then);
    const { url } = await browser.open(`${SITE}/auth/sso`);
    vi.restoreAllMocks();
    browser.onRedirect = (each) => each;
    await expectRefused(browser, url);
  });

  test("that the person declined ends with a page", async () => {
    const browser = fresh(person);
    provider.person = undefined;
    const page = await browser.open(`${SITE}/auth/sso`);
    expect([page.status, await personIn(browser)]).toEqual([403, undefined]);
    expect(page.body).toContain("has not signed you in");
  });

  test("is not begun or ended by a request for the head alone", async () => {
    for (const url of ["/auth/sso", "/auth/sso/callback?state=x"]) {
      const { statusCode, headers } = await harness.app.inject({
        method: "HEAD",
        url,
        headers: { host: HOST },
      });
      expect([statusCode, headers["set-cookie"]]).toEqual([404, undefined]);
    }
  });

  test("can be connected once, and only in the browser that came from the provider", async () => {
    const browser = fresh({ sub: "stranger-2", email: "rosa@demo.test" });
    const { url } = await browser.open(`${SITE}/auth/sso`);
    const cookie = browser.cookies(HOST);
    const password = { username: "rosa@demo.test", password: PASSWORD };
    expect((await new Browser(harness.app).submit(url, password)).status).toBe(400);
    expect((await browser.submit(url, password)).url).toBe(`${SITE}/`);
    const again = new Browser(harness.app);
    again.setCookies(HOST, cookie);
    expect((await again.submit(url, password)).status).toBe(400);
    expect((await again.open(url)).status).toBe(400);
  });

  test("can't be connected by the form of another site", async () => {
    const browser = fresh({ sub: "stranger-1", email: "rosa@demo.test" });
    const { url } = await browser.open(`${SITE}/auth/sso`);
    const answer = await harness.app.inject({
      method: "POST",
      url: new URL(url).pathname,
      headers: {
        host: HOST,
        cookie: browser.cookies(HOST),
        origin: "https://evil.example",
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: new URLSearchParams({ username: "rosa@demo.test", password: PASSWORD }).toString(),
    });
    expect(answer.statusCode).toBe(403);
    expect((await identities()).map(({ subject }) => subject)).not.toContain("stranger-1");
  });
});

test("one person has an account in each of two organizations", async () => {
  const browser = fresh({ sub: "zed-1", email: "zed@other.test" });
  const { url } = await browser.open(`http://${OTHER_HOST}/auth/trusted`);
  expect(url).toBe(`http://${OTHER_HOST}/`);
  expect(await personIn(browser, OTHER_HOST)).toBe("zed@other.test");
  const here = fresh({ sub: "zed-1", email: "zed@other.test" });
  expect((await here.open(`${SITE}/auth/trusted`)).body).toContain("You need an invitation");
});

test.each(["down", "huge", "moved", "failing", "inside", "plain"])(
  "the provider %s gives a page that says so, and the server goes on",
  async (id) => {
    const page = await new Browser(harness.app).open(`${SITE}/auth/${id}`);
    expect(page.status).toBe(502);
    expect(page.body).toContain(`The ${id} service can&#39;t sign you in now`);
    expect(page.body).not.toContain("secret");
  },
);

describe("a provider with roles and groups", () => {
  const groupNamed = async (name: string) => {
    const group = { name, description: "", members: [] };
    return (await expectSuccess(harness.as("ada").post("/user_groups/create", group))).group_id;
  };
  const signIn = async (claims: Record<string, unknown>, sub = "mapped-1") => {
    const browser = fresh({ sub, email: `${sub}@elsewhere.test`, name: "Mapped One", ...claims });
    const page = await browser.open(`${SITE}/auth/mapped`);
    expect(page.url).toBe(`${SITE}/`);
    return accountOf(`${sub}@elsewhere.test`);
  };

  test("gives and takes them at every sign-in", async () => {
    const [cooks, gardeners] = [await groupNamed("Cooks"), await groupNamed("Gardeners")];
    const inGroups = (id: number | undefined) =>
      [cooks, gardeners].map((group) => harness.state.get(groups).hasDirectMember(group, id as never));
    const user = await signIn({ roles: ["helper", "boss"], groups: ["kitchen", "nowhere", "unknown"] });
    expect([user?.role, ...inGroups(user?.id)]).toEqual([roles.administrator, true, false]);
    const later = await signIn({ roles: "helper", groups: ["garden"], name: "Mapped Two" });
    expect([later?.role, later?.fullName, ...inGroups(user?.id)]).toEqual([
      roles.moderator,
      "Mapped Two",
      false,
      true,
    ]);
    // A provider may leave out a long list. Then nothing is known, and nothing changes.
    const unknown = await signIn({ roles: "helper", _claim_names: { groups: "src1" } });
    expect([unknown?.fullName, ...inGroups(user?.id)]).toEqual(["Mapped One", false, true]);
    const bare = await signIn({});
    expect([bare?.role, ...inGroups(user?.id)]).toEqual([roles.member, false, false]);
  });

  test("makes guests from the start, and nobody rises because a role is missing", async () => {
    expect((await signIn({ roles: ["visitor"] }, "mapped-2"))?.role).toBe(roles.guest);
    expect((await signIn({}, "mapped-2"))?.role).toBe(roles.guest);
  });

  test("leaves owners as they are, since its setting does not name them", async () => {
    const user = accountOf("mira@demo.test");
    const connect = fresh({ sub: "mira-1", email: "mira@demo.test", roles: ["visitor"] });
    const { url } = await connect.open(`${SITE}/auth/mapped`);
    await expectSuccess(harness.as("ada").patch(`/users/${user?.id}`, { role: roles.owner }));
    const done = await connect.submit(url, { username: "mira@demo.test", password: PASSWORD });
    expect([done.url, accountOf("mira@demo.test")?.role]).toEqual([`${SITE}/`, roles.owner]);
  });
});

describe("a program that waits", () => {
  const otp = "0123456789abcdef".repeat(4);
  const person = { sub: "rosa-1", email: "rosa@demo.test" };

  test("on a phone gets the API key, encrypted with its own bytes", async () => {
    const browser = fresh(person);
    const { url } = await browser.open(`${SITE}/auth/sso?mobile_flow_otp=${otp}`);
    const address = new URL(url);
    expect(`${address.protocol}//${address.host}`).toBe("zulip://login");
    const { realm, email, user_id, otp_encrypted_api_key: hex } = Object.fromEntries(address.searchParams);
    expect([realm, email, user_id]).toEqual([SITE, person.email, String(accountOf(person.email)?.id)]);
    const pad = Buffer.from(otp, "hex");
    const key = Buffer.from(hex ?? "", "hex").map((byte, index) => byte ^ (pad[index] as number));
    const authorization = `Basic ${Buffer.from(`${email}:${Buffer.from(key)}`).toString("base64")}`;
    const answer = await harness.app.inject({
      url: "/api/v1/users/me",
      headers: { host: HOST, authorization },
    });
    expect(answer.json().email).toBe(person.email);
    expect(await personIn(browser)).toBeUndefined();
  });

  test("gets it by a link after a form, which can't lead to an app by itself", async () => {
    const browser = fresh({ sub: "phone-1", email: "mira@demo.test" });
    const { url } = await browser.open(`${SITE}/auth/sso?mobile_flow_otp=${otp}`);
    const page = await browser.submit(url, { username: "mira@demo.test", password: PASSWORD });
    expect(page.body).toContain('href="zulip://login?realm=http');
  });

  test.each(["", "0123", "g".repeat(64), `${otp}00`])("gets nothing for the key %j", async (wrong) => {
    for (const name of ["mobile_flow_otp", "desktop_flow_otp"]) {
      expect((await fresh(person).open(`${SITE}/auth/sso?${name}=${wrong}`)).status).toBe(400);
    }
    expect(
      (await fresh(person).open(`${SITE}/auth/sso?mobile_flow_otp=${otp}&desktop_flow_otp=${otp}`)).status,
    ).toBe(400);
  });

  async function desktopToken(browser: Browser): Promise<string> {
    const { body } = await browser.open(`${SITE}/auth/sso?next=/inbox&desktop_flow_otp=${otp}`);
    const data = Buffer.from(/<pre id="code">([0-9a-f]+)</.exec(body)?.[1] ?? "", "hex");
    const secret = await crypto.subtle.importKey("raw", Buffer.from(otp, "hex"), "AES-GCM", false, [
      "decrypt",
    ]);
    const opened = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: data.subarray(0, 12) },
      secret,
      data.subarray(12),
    );
    return Buffer.from(opened).toString();
  }
  const ownPage = { "sec-fetch-site": "same-origin" };

  test("on a desktop gets a code that signs it in once", async () => {
    const browser = fresh(person);
    const path = `${SITE}/accounts/login/subdomain/${await desktopToken(browser)}`;
    expect(await personIn(browser)).toBeUndefined();
    const app = new Browser(harness.app, "ZulipElectron/5.12.0 (Linux)");
    expect((await app.open(path, ownPage)).url).toBe(`${SITE}/inbox`);
    expect(await personIn(app)).toBe(person.email);
    const second = new Browser(harness.app);
    expect([(await second.open(path, ownPage)).status, await personIn(second)]).toEqual([400, undefined]);
  });

  test("on a desktop is signed in by a link of elsewhere only after a question", async () => {
    const token = await desktopToken(fresh(person));
    const app = new Browser(harness.app);
    const url = `${SITE}/accounts/login/subdomain/${token}`;
    const page = await app.open(url, { "sec-fetch-site": "cross-site" });
    expect([page.status, await personIn(app)]).toEqual([200, undefined]);
    const elsewhere = await app.open(`http://${OTHER_HOST}/accounts/login/subdomain/${token}`, ownPage);
    expect(elsewhere.status).toBe(400);
    expect((await app.submit(url, {})).url).toBe(`${SITE}/inbox`);
    expect(await personIn(app)).toBe(person.email);
  });

  test("on a desktop has five minutes", async () => {
    const token = await desktopToken(fresh(person));
    await harness.services.database.query(
      sql`update sign_in_steps set expires_at = expires_at - interval '5 minutes'`,
    );
    const app = new Browser(harness.app);
    expect((await app.open(`${SITE}/accounts/login/subdomain/${token}`, ownPage)).status).toBe(400);
  });

  test("on a desktop can't try many codes from one network", async () => {
    const guess = () =>
      new Browser(harness.app).open(`${SITE}/accounts/login/subdomain/${"A".repeat(43)}`, ownPage);
    for (let times = 0; times < 20; times++) expect([400, 429]).toContain((await guess()).status);
    expect((await guess()).status).toBe(429);
    await harness.services.database.query(sql`delete from sign_in_attempts`);
  });

  test("on a desktop begins with a page that opens the browser", async () => {
    const app = new Browser(harness.app, "ZulipElectron/5.12.0 (Linux)");
    const page = await app.open(`${SITE}/auth/sso`);
    expect([page.status, page.url]).toEqual([200, `${SITE}/auth/sso`]);
    expect(page.body).toContain('<script src="/auth/desktop.js">');
  });

  test("on a desktop is opened by the script of that page, with the app's own key", async () => {
    const { body } = await new Browser(harness.app).open(`${SITE}/auth/desktop.js`);
    const opened: string[] = [];
    let copy: (text: string) => void = () => {};
    const pasted = new Promise<string>((resolve) => {
      copy = resolve;
    });
    const bridge = { decrypt_clipboard: () => ({ key: Buffer.from(otp, "hex"), pasted }) };
    const location = { href: `${SITE}/auth/sso?next=/inbox` };
    const window = { electron_bridge: bridge, open: (url: string) => opened.push(url) };
    runInNewContext(body, { window, location, URL, document: { querySelector: () => null } });
    await vi.waitFor(() =>
      expect(opened).toEqual([`${SITE}/auth/sso?next=%2Finbox&desktop_flow_otp=${otp}`]),
    );
    copy("the/token");
    await vi.waitFor(() => expect(location.href).toBe("/accounts/login/subdomain/the%2Ftoken"));
  });
});
