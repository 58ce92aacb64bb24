import { afterAll, beforeAll, expect, test } from "vitest";
import { addRosa, openPage, PASSWORD, rosa, sendForm } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { browserOf, cookieIn } from "../../../test/harness/sessions.ts";
import { emptyForm } from "../../platform/http/form-fields.ts";
import { html, writePage } from "../../platform/http/page.ts";
import { loginPage } from "./login-page.ts";

const ownPage = { origin: `http://${HOST}` };
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await addRosa(harness);
});
afterAll(() => harness.close());

const open = (url: string, headers: Record<string, string> = {}) => openPage(harness, url, { headers });

const submit = (url: string, headers: Record<string, string>, fields: Record<string, string> = rosa) =>
  sendForm(harness, url, fields, { headers });

test("the page is a form that works without script, and signs in where it was asked to go", async () => {
  const page = await open("/login?next=/settings");
  expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.body).toContain('autocomplete="current-password"');
  expect(page.body.match(/<script[^>]*>/g)).toEqual(['<script src="/passkeys.js" defer>']);
  const answer = await submit("/login?next=/settings", ownPage);
  expect([answer.statusCode, answer.headers.location]).toEqual([303, "/settings"]);
  const cookie = cookieIn(answer.headers["set-cookie"]);
  expect((await browserOf(harness, cookie).get("/users/me")).body.email).toBe(rosa.username);
  const again = await open("/login?next=/settings", { cookie });
  expect([again.statusCode, again.headers.location]).toEqual([303, "/settings"]);
});

test("somebody who is signed in can sign in again, to show who they are", async () => {
  const cookie = cookieIn((await submit("/login", ownPage)).headers["set-cookie"]);
  const page = await open("/login?again&next=/settings", { cookie });
  expect([page.statusCode, page.body.includes('name="password"')]).toEqual([200, true]);
  const answer = await submit("/login?again&next=/settings", { ...ownPage, cookie });
  expect(answer.headers.location).toBe("/settings");
  expect((await browserOf(harness, cookie).get("/users/me")).status).toBe(401);
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "settings",
  "/path\\..\\evil",
  "",
  `/${"a".repeat(3000)}`,
])("the page never leads to %j", async (next) => {
  const answer = await submit(`/login?next=${encodeURIComponent(next)}`, ownPage);
  expect([answer.statusCode, answer.headers.location]).toEqual([303, "/"]);
});

test("of two pages to go to none counts", async () => {
  const answer = await submit("/login?next=/a&next=//evil.example", ownPage);
  expect(answer.headers.location).toBe("/");
});

test("a wrong password shows the form again, without the password, and sets no cookie", async () => {
  const answer = await submit("/login", ownPage, { ...rosa, password: "<wrong>&password" });
  expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([403, undefined]);
  expect(answer.body).toContain("Your email address or password is incorrect.");
  expect(answer.body).toContain('value="rosa@demo.test"');
  expect(answer.body).not.toContain("wrong");
});

test("a name that is no address, and an empty form, show the form again", async () => {
  for (const fields of [{}, { username: "rosa", password: PASSWORD }]) {
    const answer = await submit("/login", ownPage, fields as Record<string, string>);
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([400, undefined]);
    expect(answer.body).toContain("Enter a valid email address.");
  }
});

test("the form of another site signs nobody in", async () => {
  const foreign = [
    {},
    { origin: "null" },
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  for (const headers of foreign) {
    const answer = await submit("/login", headers as Record<string, string>);
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([403, undefined]);
  }
  expect((await submit("/login", { "sec-fetch-site": "same-origin" })).statusCode).toBe(303);
});

test("a host without an organization has no page to sign in", async () => {
  const answer = await open("/login", { host: "nobody.test" });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, "/"]);
});

test("the page shows which organization it is", async () => {
  await expectSuccess(harness.as("ada").patch("/realm", { description: "For **all** of <us>" }));
  const { body } = await open("/login");
  expect(body).toMatch(/<img src="\/[^"]+" alt=""/);
  expect(body).toContain("For <strong>all</strong> of &lt;us&gt;");
});

test("a demo's page lets its people in by a press, and no other page does", async () => {
  const { body } = await open("/login");
  expect(body.match(/<form/g)).toHaveLength(1);
  const shown = {
    name: "Demo",
    head: { picture: html``, about: html`` },
    providerLinks: html``,
    demoAccounts: [
      { email: "ada@demo.test", fullName: "Ada <Osei>", title: "owner", password: "demo" } as const,
    ],
  };
  const page = loginPage(shown, emptyForm(["username", "password"]), { next: "/" });
  const { text } = writePage(page);
  expect(text).toContain('<input type="hidden" name="username" value="ada@demo.test">');
  expect(text).toContain('<button type="submit" class="second">Ada &lt;Osei&gt;, owner</button>');
});
