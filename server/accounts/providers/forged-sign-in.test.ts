import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { rosa } from "../../../test/harness/accounts.ts";
import { Browser } from "../../../test/harness/browser.ts";
import { HOST, OTHER_HOST } from "../../../test/harness/harness.ts";
import { SITE, useProviders } from "../../../test/harness/oidc-providers.ts";

const providers = useProviders();
const { fresh, personIn, identities } = providers;
beforeAll(providers.connectRosa);
afterEach(() => vi.restoreAllMocks());

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
    await expectRefused(new Browser(providers.harness.app), callback);
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
    const replayer = new Browser(providers.harness.app);
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
    mixed.searchParams.set("iss", providers.other.issuer);
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
    providers.provider.person = undefined;
    const page = await browser.open(`${SITE}/auth/sso`);
    expect([page.status, await personIn(browser)]).toEqual([403, undefined]);
    expect(page.body).toContain("has not signed you in");
  });

  test("is not begun or ended by a request for the head alone", async () => {
    for (const url of ["/auth/sso", "/auth/sso/callback?state=x"]) {
      const { statusCode, headers } = await providers.harness.app.inject({
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
    const password = rosa;
    expect((await new Browser(providers.harness.app).submit(url, password)).status).toBe(400);
    expect((await browser.submit(url, password)).url).toBe(`${SITE}/`);
    const again = new Browser(providers.harness.app);
    again.setCookies(HOST, cookie);
    expect((await again.submit(url, password)).status).toBe(400);
    expect((await again.open(url)).status).toBe(400);
  });

  test("can't be connected by the form of another site", async () => {
    const browser = fresh({ sub: "stranger-1", email: "rosa@demo.test" });
    const { url } = await browser.open(`${SITE}/auth/sso`);
    const answer = await providers.harness.app.inject({
      method: "POST",
      url: new URL(url).pathname,
      headers: {
        host: HOST,
        cookie: browser.cookies(HOST),
        origin: "https://evil.example",
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: new URLSearchParams(rosa).toString(),
    });
    expect(answer.statusCode).toBe(403);
    expect((await identities()).map(({ subject }) => subject)).not.toContain("stranger-1");
  });
});
