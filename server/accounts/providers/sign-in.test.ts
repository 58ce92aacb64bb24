import { describe, expect, test } from "vitest";
import { roles } from "../../../api/roles.ts";
import { PASSWORD, rosa } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { Browser } from "../../../test/harness/browser.ts";
import { HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import { SITE, useProviders } from "../../../test/harness/oidc-providers.ts";
import { browserOf, cookieIn } from "../../../test/harness/sessions.ts";
import { codeAt } from "../second-steps/totp.ts";

const providers = useProviders();
const { fresh, personIn, accountOf, set, identities } = providers;

describe("what clients can know", () => {
  test("the server settings list the providers in order, and /login links to them", async () => {
    const { body } = await providers.harness.nobody().get("/server_settings");
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
    const page = await new Browser(providers.harness.app).open(`${SITE}/login?next=/settings`);
    expect(page.body).toContain('href="/auth/sso?next=%2Fsettings"');
    expect(page.body.match(/<script[^>]*>/g)).toEqual([`<script src="/passkeys.js" defer>`]);
    const state = await providers.harness.as("dev").post("/register", { fetch_event_types: ["realm"] });
    expect(state.body.realm_authentication_methods).toEqual({
      Email: { enabled: true, available: true },
      "OpenID Connect": { enabled: true, available: true },
    });
  });

  test("an organization has only its own providers", async () => {
    const { body } = await providers.harness.nobody(OTHER_HOST).get("/server_settings");
    const names = body.external_authentication_methods.map(({ name }: { name: string }) => name);
    expect(names).not.toContain("oidc:open");
    expect((await new Browser(providers.harness.app).open(`http://${OTHER_HOST}/auth/open`)).status).toBe(
      404,
    );
    const nowhere = await new Browser(providers.harness.app).open("http://nobody.test/auth/sso");
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
    const right = await browser.submit(form.url, rosa);
    expect(right.url).toBe(`${SITE}/settings`);
    expect(await personIn(browser)).toBe("rosa@demo.test");
    const again = fresh({ sub: "rosa-1", email: "renamed@elsewhere.test", email_verified: false });
    expect((await again.open(`${SITE}/auth/sso?next=/settings`)).url).toBe(`${SITE}/settings`);
    expect(await personIn(again)).toBe("rosa@demo.test");
  });

  test("connects it by a code too where the account has a second step, and is asked for none later", async () => {
    const rita = { email: "rita@demo.test", full_name: "Rita Vale", password: PASSWORD };
    await expectSuccess(providers.harness.as("ada").post("/users", rita));
    const person = { username: rita.email, password: PASSWORD };
    const session = cookieIn(
      (await providers.harness.nobody().post("/session", person)).headers["set-cookie"],
    );
    const { secret } = await expectSuccess(browserOf(providers.harness, session).post("/second_steps/totp"));
    const code = codeAt(secret);
    const { recovery_codes: codes } = await expectSuccess(
      browserOf(providers.harness, session).post("/second_steps/totp/confirm", { code }),
    );
    const browser = fresh({ sub: "rita", email: rita.email });
    await browser.open(`${SITE}/auth/sso`);
    const form = `${SITE}/auth/sso/connect`;
    const asked = await browser.submit(form, person);
    expect([asked.status, await personIn(browser)]).toEqual([403, undefined]);
    expect(asked.body).toContain("Your account has a second step.");
    expect((await browser.submit(form, { ...person, code: "000000" })).body).toContain("The code is wrong");
    expect((await identities()).map(({ subject }) => subject)).not.toContain("rita");
    await browser.submit(form, { ...person, code: codes[0] });
    expect(await personIn(browser)).toBe(rita.email);
    // The provider asks for a second step itself, also where the organization requires one.
    await set({ require_second_step: "everyone" });
    const later = fresh({ sub: "rita" });
    expect((await later.open(`${SITE}/auth/sso`)).url).toBe(`${SITE}/`);
    expect(await personIn(later)).toBe(rita.email);
    await set({ require_second_step: "nobody" });
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

  test("is not let in by an address that only looks the same in lower case", async () => {
    const kim = { email: "kim@demo.test", full_name: "Kim Vale", password: PASSWORD };
    await expectSuccess(providers.harness.as("ada").post("/users", kim));
    // The Kelvin sign. The mailbox is another one, which the provider has verified truly.
    const browser = fresh({ sub: "kelvin-1", email: "\u212aim@demo.test" });
    expect((await browser.open(`${SITE}/auth/trusted`)).url).toContain("/connect");
    expect(await personIn(browser)).toBeUndefined();
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
    await expectSuccess(providers.harness.as("ada").delete(`/users/${user?.id}`));
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
    expect((await browserOf(providers.harness, before).get("/users/me")).status).toBe(401);
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
    const { invite_link } = await expectSuccess(
      providers.harness.as("ada").post("/invites/multiuse", invited),
    );
    const code = new URL(invite_link).pathname.split("/").at(-1);
    const browser = fresh({ sub: "new-2", email: "new2@elsewhere.test", name: "New *Two*" });
    const join = await browser.open(`${SITE}/join/${code}`);
    const [, path] = /href="(\/auth\/sso\?join=[^"]+)"/.exec(join.body) ?? [];
    await browser.open(`${SITE}${path}`);
    expect(await personIn(browser)).toBe("new2@elsewhere.test");
    expect(accountOf("new2@elsewhere.test")).toMatchObject({ fullName: "New Two", role: roles.guest });
  });

  test("can't join by a link with an address that is not verified", async () => {
    const { invite_link } = await expectSuccess(providers.harness.as("ada").post("/invites/multiuse", {}));
    const code = new URL(invite_link).pathname.split("/").at(-1);
    const browser = fresh({ sub: "new-3", email: "new3@elsewhere.test", email_verified: false });
    await browser.open(`${SITE}/auth/sso?join=${code}`);
    expect([await personIn(browser), accountOf("new3@elsewhere.test")]).toEqual([undefined, undefined]);
  });

  test("joins without an invitation where none is needed, but only from allowed domains", async () => {
    await set({ invite_required: false });
    await expectSuccess(
      providers.harness
        .as("ada")
        .post("/realm/domains", { domain: "kitchen.example", allow_subdomains: false }),
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
    const page = await new Browser(providers.harness.app).open(`${SITE}/auth/${id}`);
    expect(page.status).toBe(502);
    expect(page.body).toContain(`The ${id} service can&#39;t sign you in now`);
    expect(page.body).not.toContain("secret");
  },
);
