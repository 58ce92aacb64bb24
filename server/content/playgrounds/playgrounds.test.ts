import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_PLAYGROUNDS } from "../../../api/limits.ts";
import { expectSuccess, refusal } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { OrganizationState } from "../../platform/log/organization-state.ts";
import { playgrounds } from "./playgrounds.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const URL_TEMPLATE = "https://run.example/python?code={code}";
const add = (name: string, pygments_language = "Python", url_template = URL_TEMPLATE, by: CastName = "ben") =>
  harness.as(by).post("/realm/playgrounds", { name, pygments_language, url_template });
const list = async (by: CastName = "gus") =>
  (await expectSuccess(harness.as(by).post("/register", { fetch_event_types: ["realm_playgrounds"] })))
    .realm_playgrounds;

test("administrators add and remove playgrounds, and everyone sees them", async () => {
  const { id } = await expectSuccess(add(" Python site ", " Python ", ` ${URL_TEMPLATE} `));
  const second = await expectSuccess(add("Other site"));
  expect(await list()).toEqual([
    { id, name: "Python site", pygments_language: "Python", url_template: URL_TEMPLATE },
    { id: second.id, name: "Other site", pygments_language: "Python", url_template: URL_TEMPLATE },
  ]);
  for (const name of ["cleo", "dev", "gus", "echo"] as const) {
    for (const { status, body } of [
      await add("Mine", "Python", URL_TEMPLATE, name),
      await harness.as(name).delete(`/realm/playgrounds/${id}`),
    ]) {
      expect([status, body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    }
  }
  await expectSuccess(harness.as("ben").delete(`/realm/playgrounds/${id}`));
  expect(await list()).toMatchObject([{ id: second.id }]);
  expect(await refusal(harness.as("ben").delete(`/realm/playgrounds/${id}`))).toBe("Invalid playground");
});

test("a playground of another organization is a missing one", async () => {
  const { id } = await expectSuccess(add("Abroad", "Python", URL_TEMPLATE, "zed"));
  expect(await refusal(harness.as("ben").delete(`/realm/playgrounds/${id}`))).toBe("Invalid playground");
  expect(await list("zed")).toMatchObject([{ id, name: "Abroad" }]);
});

test("a language may be any name that a code block can have", async () => {
  for (const language of ["C++", "C#", "Common Lisp", "objective-c", "x".repeat(40)]) {
    await expectSuccess(add(`for ${language}`, language));
  }
});

test.each([
  ["no name", " ", "Python", URL_TEMPLATE, "name can't be blank"],
  ["a name of 101 characters", "x".repeat(101), "Python", URL_TEMPLATE, "name is too long"],
  ["no language", "Site", " ", URL_TEMPLATE, "pygments_language can't be blank"],
  ["a language of 41 characters", "Site", "x".repeat(41), URL_TEMPLATE, "pygments_language is too long"],
  [
    "a language with a strange character",
    "Site",
    "Py$thon",
    URL_TEMPLATE,
    "Invalid characters in pygments language",
  ],
  [
    "a language with a line break",
    "Site",
    "Py\nthon",
    URL_TEMPLATE,
    "Invalid characters in pygments language",
  ],
  ["no address", "Site", "Python", "", "url_template can't be blank"],
  ["an unclosed variable", "Site", "Python", "https://run.example/{code", "Invalid URL template."],
  ["no variable", "Site", "Python", "https://run.example/", 'Missing the required variable "code"'],
  [
    "another variable",
    "Site",
    "Python",
    "https://run.example/{text}",
    'Missing the required variable "code"',
  ],
  [
    "a variable more",
    "Site",
    "Python",
    "https://run.example/{code,text}",
    '"code" should be the only variable',
  ],
  ["a script", "Site", "Python", "javascript:alert({code})", "must begin with 'http://' or 'https://'"],
  ["an address that is all code", "Site", "Python", "{+code}", "must begin with 'http://' or 'https://'"],
  [
    "an address of 1,001 characters",
    "Site",
    "Python",
    `${URL_TEMPLATE}${"a".repeat(963)}`,
    "url_template is too long",
  ],
])("a playground with %s is refused", async (_, name, language, template, message) => {
  const before = await list();
  expect(await refusal(add(name, language, template))).toContain(message);
  expect(await list()).toEqual(before);
});

test("a language has one playground of a name", async () => {
  await expectSuccess(add("Twice", "Ruby"));
  expect(await refusal(add("Twice", "Ruby", "https://other.example/{code}"))).toContain("already exists");
  await expectSuccess(add("Twice", "Rust"));
});

test("a node that starts has the playgrounds of the others", async () => {
  const { database } = harness.services;
  const state = await OrganizationState.load(database, harness.state.organizationId, harness.state.parts);
  expect(state.get(playgrounds).rows).toEqual(harness.state.get(playgrounds).rows);
});

test("an organization has at most 100 playgrounds", async () => {
  const left = MAX_PLAYGROUNDS - (await list()).length;
  for (let n = 0; n < left; n++) await expectSuccess(add(`Site ${n}`, "Go"));
  expect(await refusal(add("One more"))).toContain("at most 100 playgrounds");
  expect(await list()).toHaveLength(MAX_PLAYGROUNDS);
});
