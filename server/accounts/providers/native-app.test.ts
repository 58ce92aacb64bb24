import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { PASSWORD, signInForCookie } from "../../../test/harness/accounts.ts";
import { Browser } from "../../../test/harness/browser.ts";
import { readDesktopCode } from "../../../test/harness/desktop-code.ts";
import { HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import { SITE, useProviders } from "../../../test/harness/oidc-providers.ts";
import { sql } from "../../platform/db/sql.ts";
import { insertStep } from "./store.ts";

const providers = useProviders();
const { fresh, personIn, accountOf } = providers;
beforeAll(providers.connectRosa);

const hans = { username: "hans@demo.test", password: PASSWORD };

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
    const answer = await providers.harness.app.inject({
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
    return readDesktopCode(body, otp);
  }
  const addressOf = (token: string) => `${SITE}/accounts/login/subdomain/${token}`;

  test("on a desktop gets a code that signs it in once", async () => {
    const browser = fresh(person);
    const url = addressOf(await desktopToken(browser));
    expect(await personIn(browser)).toBeUndefined();
    const app = new Browser(providers.harness.app, "ZulipElectron/5.12.0 (Linux)");
    expect((await app.submit(url, {})).url).toBe(`${SITE}/inbox`);
    expect(await personIn(app)).toBe(person.email);
    const second = new Browser(providers.harness.app);
    expect([(await second.submit(url, {})).status, await personIn(second)]).toEqual([400, undefined]);
  });

  // F5: a message may have such a link, and browsers call the click on it same-origin.
  test.each(["same-origin", "same-site", "cross-site", "none", undefined])(
    "on a desktop is signed in by no link, from %s, but by a form that names the account",
    async (site) => {
      const url = addressOf(await desktopToken(fresh(person)));
      const app = new Browser(providers.harness.app);
      const page = await app.open(url, site === undefined ? {} : { "sec-fetch-site": site });
      expect([page.status, app.cookies(HOST)]).toEqual([200, ""]);
      expect(page.body).toContain(person.email);
      expect((await app.submit(url, {})).url).toBe(`${SITE}/inbox`);
      expect(await personIn(app)).toBe(person.email);
    },
  );

  test("on a desktop is not signed in on the way from the form for signing in, nor signed out", async () => {
    const token = await desktopToken(fresh(person));
    const victim = new Browser(providers.harness.app);
    victim.setCookies(HOST, await signInForCookie(providers.harness, { ...hans }));
    const page = await victim.open(`${SITE}/login?next=/accounts/login/subdomain/${token}`, {
      "sec-fetch-site": "same-origin",
    });
    expect([page.status, page.url]).toEqual([200, addressOf(token)]);
    expect(page.body).toContain(`You are signed in as <strong>${hans.username}</strong> here.`);
    expect(await personIn(victim)).toBe(hans.username);
  });

  test("on a desktop is told that a code does not work before it asks for anything", async () => {
    const token = await desktopToken(fresh(person));
    const app = new Browser(providers.harness.app);
    expect((await app.open(`http://${OTHER_HOST}/accounts/login/subdomain/${token}`)).status).toBe(400);
    expect((await app.open(addressOf("A".repeat(43)))).status).toBe(400);
  });

  test("on a desktop begins again with a code that a node of the earlier release has made", async () => {
    const { harness } = providers;
    const { keyring } = harness.services;
    const token = keyring.newToken();
    const step = { kind: "desktop", userId: accountOf(person.email)?.id, next: "/" };
    await insertStep(harness.state.database, harness.state.organizationId, {
      tokenHash: keyring.hash(`sign-in step ${token}`),
      data: keyring.encrypt(JSON.stringify(step)),
      seconds: 300,
    });
    const app = new Browser(harness.app);
    const { status, body } = await app.submit(addressOf(token), {});
    expect([status, app.cookies(HOST)]).toEqual([400, ""]);
    expect(body).toContain("Begin again.");
  });

  test("on a desktop has five minutes", async () => {
    const token = await desktopToken(fresh(person));
    await providers.harness.services.database.query(
      sql`update sign_in_steps set expires_at = expires_at - interval '5 minutes'`,
    );
    const app = new Browser(providers.harness.app);
    expect((await app.submit(addressOf(token), {})).status).toBe(400);
  });

  test("on a desktop can't try many codes from one network", async () => {
    const guess = () => new Browser(providers.harness.app).submit(addressOf("A".repeat(43)), {});
    for (let times = 0; times < 20; times++) expect([400, 429]).toContain((await guess()).status);
    expect((await guess()).status).toBe(429);
    await providers.harness.services.database.query(sql`delete from sign_in_attempts`);
  });

  test("on a desktop begins with a page that opens the browser", async () => {
    const app = new Browser(providers.harness.app, "ZulipElectron/5.12.0 (Linux)");
    const page = await app.open(`${SITE}/auth/sso`);
    expect([page.status, page.url]).toEqual([200, `${SITE}/auth/sso`]);
    expect(page.body).toContain('<script src="/auth/desktop.js" defer>');
  });

  test("on a desktop is opened by the script of that page, with the app's own key", async () => {
    const { body } = await new Browser(providers.harness.app).open(`${SITE}/auth/desktop.js`);
    const opened: string[] = [];
    let copy: (text: string) => void = () => {};
    const pasted = new Promise<string>((resolve) => {
      copy = resolve;
    });
    const bridge = { decrypt_clipboard: () => ({ key: Buffer.from(otp, "hex"), pasted }) };
    const location = { href: `${SITE}/auth/sso?next=/inbox` };
    const window = { electron_bridge: bridge, open: (url: string) => opened.push(url) };
    const sent: unknown[] = [];
    const form = { submit: () => sent.push([form.method, form.action]), method: "", action: "" };
    const document = {
      querySelector: () => null,
      createElement: () => form,
      body: { append: (element: unknown) => expect(element).toBe(form) },
    };
    runInNewContext(body, { window, location, URL, document });
    await expect.poll(() => opened).toEqual([`${SITE}/auth/sso?next=%2Finbox&desktop_flow_otp=${otp}`]);
    copy("the/token");
    await expect.poll(() => sent).toEqual([["post", "/accounts/login/subdomain/the%2Ftoken"]]);
    expect(location.href).toBe(`${SITE}/auth/sso?next=/inbox`);
  });
});
