import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiError, errors } from "../../../api/errors.ts";
import { addRosa, openPage, rosa, sendForm } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { problemText } from "../../platform/http/error-texts.ts";

/** Words that stand in most English sentences, and are no German ones. */
const ENGLISH = /\b(the|you|your|and|with|this|password|please|link does|Sign in|Error)\b/;
const ownPage = { origin: `http://${HOST}` };
const german = { "accept-language": "fr, de-AT;q=0.8, en;q=0.5" };

let harness: Harness;
let invitation: string;
beforeAll(async () => {
  harness = await createHarness();
  await addRosa(harness);
  const { invite_link } = await expectSuccess(harness.as("ada").post("/invites/multiuse", {}));
  invitation = new URL(invite_link).pathname;
});
afterAll(() => harness.close());

const textOf = (body: string) =>
  body.replace(/<(style|script)\b.*?<\/\1>|<pre\b.*?<\/pre>|<[^>]*>/gs, " ").replaceAll("&#39;", "'");

test.each([
  ["/login", 200, "Anmelden"],
  ["/reset", 200, "anderes Passwort"],
  ["/reset/0123456789", 404, "Dieser Link gilt nicht"],
  ["/join", 403, "Du brauchst eine Einladung"],
  ["/join/0123456789", 404, "Diese Einladung gilt nicht"],
  ["/join/done", 200, "Willkommen"],
  ["/join/sent", 200, "Sieh in dein Postfach"],
  ["/verify/0123456789", 404, "Dieser Link gilt nicht"],
  ["/new/done", 200, "ist bereit"],
  ["/auth/unknown", 404, "So kann man sich hier nicht anmelden"],
  ["/unsubscribe/digest/0123456789", 404, "Dieser Link gilt nicht"],
  ["/nothing/here", 404, "Diese Seite gibt es nicht"],
])("%s is German for a browser that prefers it", async (path, status, contained) => {
  const { statusCode, body, headers } = await openPage(harness, path, { headers: german });
  expect(statusCode).toBe(status);
  expect(body).toContain('<html lang="de">');
  expect(headers.vary).toContain("Accept-Language");
  expect(textOf(body)).toContain(contained);
  expect(textOf(body)).not.toMatch(ENGLISH);
});

test("the form behind an invitation is German too, with what is wrong with it", async () => {
  const page = await openPage(harness, invitation, { headers: german });
  expect(textOf(page.body)).toContain("Link schicken");
  expect(textOf(page.body)).not.toMatch(ENGLISH);
  const wrong = { email: "no address" };
  const again = await sendForm(harness, invitation, wrong, { headers: { ...ownPage, ...german } });
  expect(again.statusCode).toBe(400);
  expect(textOf(again.body)).toContain("Das ist keine E-Mail-Adresse.");
  expect(textOf(again.body)).toContain("Bitte prüfen:");
  expect(textOf(again.body)).not.toMatch(ENGLISH);
});

test("a host without an organization says so in German", async () => {
  const headers = { ...german, host: "nobody.test" };
  const { statusCode, body } = await openPage(harness, "/", { headers });
  expect([statusCode, body.includes('<html lang="de">')]).toEqual([404, true]);
  expect(textOf(body)).toContain("Unter dieser Adresse gibt es keine Organisation.");
  expect(textOf(body)).not.toMatch(ENGLISH);
});

test("what a form refuses is said with its limits", () => {
  const refused = new ApiError(errors.passwordLength, { min: 8, max: 100 });
  expect(problemText(refused).in("de").text).toBe("Ein Passwort muss 8 bis 100 Zeichen haben.");
  const tooMany = new ApiError(errors.tooManyWrongPasswords, { retryAfter: 150, wait: "3 minutes" });
  expect(problemText(tooMany).in("de").text).toContain("Versuche es in 3 Minuten noch einmal");
});

test("what is wrong with a sign-in is said in the browser's language", async () => {
  const wrong = { ...rosa, password: "something else" };
  const answer = await sendForm(harness, "/login", wrong, { headers: { ...ownPage, ...german } });
  expect(answer.statusCode).toBe(403);
  expect(textOf(answer.body)).toContain("E-Mail-Adresse oder Passwort ist falsch.");
  expect(textOf(answer.body)).not.toMatch(ENGLISH);
});

test.each([undefined, "*", "fr", "en, de;q=0.5"])(
  "with Accept-Language %j the page is English",
  async (asked) => {
    const headers: Record<string, string> = asked === undefined ? {} : { "accept-language": asked };
    const { body } = await openPage(harness, "/login", { headers });
    expect(body).toContain('<html lang="en">');
    expect(textOf(body)).toContain("Forgot your password?");
  },
);
