import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Browser } from "../../../test/harness/browser.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { closeServer, listenOn } from "../../../test/harness/identity-provider.ts";
import { browserOf } from "../../../test/harness/sessions.ts";
import { users } from "../../people/user.ts";

interface Account {
  id: number | string;
  login: string;
  name: string | null;
  emails: { email: string; primary: boolean; verified: boolean }[];
}

const SITE = `http://${HOST}`;
const dev = { email: "dev@demo.test", primary: true, verified: true };
let harness: Harness;
/** Who signs in. */
let account: Account;
let challenge = "";

/** What of GitHub a sign-in uses. */
const github = createServer(async (request, response) => {
  const url = new URL(request.url ?? "", "http://github.test");
  const json = (value: unknown) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify(value));
  if (url.pathname === "/login/oauth/authorize") {
    challenge = url.searchParams.get("code_challenge") ?? "";
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("code", "the-code");
    back.searchParams.set("state", url.searchParams.get("state") ?? "");
    return response.writeHead(302, { location: back.href }).end();
  }
  if (url.pathname === "/login/oauth/access_token") {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const made = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      form.get("code") === "the-code" && form.get("client_secret") === "hush" && made === challenge;
    return json(
      isRight ? { access_token: "the-token", token_type: "bearer" } : { error: "bad_verification_code" },
    );
  }
  if (request.headers.authorization !== "Bearer the-token") return response.writeHead(401).end();
  if (url.pathname === "/api/v3/user/emails") return json(account.emails);
  const { id, login, name } = account;
  return json({ id, login, name, email: "public@elsewhere.test" });
});

beforeAll(async () => {
  const issuer = await listenOn(github);
  const entry = { preset: "github", issuer, client_id: "us", client_secret: "hush", trust_email: true };
  harness = await createHarness({
    PARLEY_OIDC: JSON.stringify([entry, { ...entry, id: "all", join: "always" }]),
  });
});
afterAll(async () => {
  await harness.close();
  await closeServer(github);
});

async function signIn(as: Account, id = "github") {
  account = as;
  const browser = new Browser(harness.app);
  const page = await browser.open(`${SITE}/auth/${id}`);
  const cookie = browser.cookies(HOST);
  const email = cookie.includes("parley-session=")
    ? (await browserOf(harness, cookie).get("/users/me")).body.email
    : undefined;
  return { ...page, email };
}

test("GitHub is listed by the name that clients know", async () => {
  const { body } = await harness.nobody().get("/server_settings");
  expect(body.external_authentication_methods).toMatchObject([
    { name: "github", display_name: "GitHub", login_url: "/auth/github" },
    { name: "oidc:all" },
  ]);
  expect(body.authentication_methods).toMatchObject({ github: true, "openid connect": false });
});

test("an account is found by the verified primary address, and then by the number", async () => {
  const others = { email: "ada@demo.test", primary: false, verified: true };
  const first = await signIn({ id: 7, login: "devrao", name: null, emails: [others, dev] });
  expect(first.email).toBe("dev@demo.test");
  const later = await signIn({ id: 7, login: "renamed", name: null, emails: [] });
  expect(later.email).toBe("dev@demo.test");
});

test("an address that is not primary, or not verified, opens no account and makes none", async () => {
  for (const [id, emails] of [
    [8, [{ ...dev, email: "elin@demo.test", verified: false }]],
    [9, [{ ...dev, email: "elin@demo.test", primary: false }]],
    [10, []],
  ] as const) {
    const page = await signIn({ id, login: "elin", name: "Elin", emails: [...emails] }, "all");
    expect([page.url, page.email]).toEqual([`${SITE}/auth/all/connect`, undefined]);
  }
});

test("somebody without an account joins with the name, or else the login", async () => {
  const emails = [{ ...dev, email: "octo@elsewhere.test" }];
  expect((await signIn({ id: 11, login: "octo", name: null, emails }, "all")).email).toBe(
    "octo@elsewhere.test",
  );
  expect(harness.state.get(users).findByEmail("octo@elsewhere.test")?.fullName).toBe("octo");
});

test("an answer that names nobody signs nobody in", async () => {
  const page = await signIn({ id: "7", login: "devrao", name: null, emails: [dev] });
  expect([page.status, page.email]).toEqual([502, undefined]);
});

test("a sign-in works once, even if the provider takes its code twice", async () => {
  account = { id: 7, login: "devrao", name: null, emails: [dev] };
  const browser = new Browser(harness.app);
  browser.onRedirect = (url) => (url.includes("/callback?") ? undefined : url);
  const { url } = await browser.open(`${SITE}/auth/github`);
  const cookie = browser.cookies(HOST);
  browser.onRedirect = (each) => each;
  expect((await browser.open(url)).url).toBe(`${SITE}/`);
  const again = new Browser(harness.app);
  again.setCookies(HOST, cookie);
  expect((await again.open(url)).status).toBe(400);
  expect(again.cookies(HOST)).not.toContain("parley-session=");
});
