import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MAX_LINKIFIERS } from "../../../api/limits.ts";
import { expectSuccess, refusal, sayIn, showIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { OrganizationState } from "../../platform/log/organization-state.ts";
import { linkifiers } from "./linkifier.ts";

let harness: Harness;
let count = 0;
/** Begins a pattern that no other test has. */
let fresh = "";
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "dev"]);
});
afterAll(() => harness.close());
beforeEach(() => {
  fresh = `t${++count}-`;
});

const URL_TEMPLATE = "https://recipes.example/{id}";
const say = sayIn(() => harness);
const show = showIn(() => harness);
const add = (pattern: string, url_template = URL_TEMPLATE, name: CastName = "ben") =>
  harness.as(name).post("/realm/filters", { pattern, url_template });
const change = (id: number, pattern: string, url_template = URL_TEMPLATE) =>
  harness.as("ben").patch(`/realm/filters/${id}`, { pattern, url_template });
const remove = (id: number) => harness.as("ben").delete(`/realm/filters/${id}`);
const reorder = (ordered_linkifier_ids: unknown) =>
  harness.as("ben").patch("/realm/linkifiers", { ordered_linkifier_ids });
const list = async (): Promise<{ id: number; pattern: string; url_template: string }[]> =>
  (await expectSuccess(harness.as("gus").get("/realm/linkifiers"))).linkifiers;
const make = async (pattern = `${fresh}(?P<id>[0-9]+)`): Promise<number> =>
  (await expectSuccess(add(pattern))).id;

describe("administrators alone change linkifiers, and everyone reads them", () => {
  test.each(["cleo", "dev", "gus", "echo"] as const)("%s reads them only", async (name) => {
    const id = await make();
    const before = await list();
    for (const { status, body } of [
      await add(`${fresh}!`, "https://recipes.example/", name),
      await harness.as(name).patch(`/realm/filters/${id}`, { pattern: "x", url_template: URL_TEMPLATE }),
      await harness.as(name).delete(`/realm/filters/${id}`),
      await harness.as(name).patch("/realm/linkifiers", { ordered_linkifier_ids: [id] }),
    ]) {
      expect([status, body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    }
    expect((await harness.as(name).get("/realm/linkifiers")).body.linkifiers).toEqual(before);
    expect(await list()).toEqual(before);
  });
});

describe("a new linkifier", () => {
  test("makes links at once, after the existing ones", async () => {
    const id = await make(` ${fresh}(?P<id>[0-9]+) `);
    expect((await list()).at(-1)).toEqual({
      id,
      pattern: `${fresh}(?P<id>[0-9]+)`,
      url_template: URL_TEMPLATE,
    });
    const { content } = await show("ada", await say("dev", "kitchen", { content: `As in ${fresh}7` }));
    expect(content).toBe(`<p>As in <a href="https://recipes.example/7">${fresh}7</a></p>`);
  });

  test.each([
    [
      "https://zone_{zone}{.host}.example{/path}{?name,part}{#place:5}",
      ["zone", "host", "path", "name", "part", "place"],
    ],
    ["http://t.example/%ba/{id}", ["id"]],
    ["HTTPS://t.example/%%()s", []],
    ["https://{host}/", ["host"]],
    ["https://t.example/foo[bar]?q={+id}", ["id"]],
  ])("may lead to %s", async (template, groups) => {
    const pattern = `${fresh}${groups.map((name) => `(?P<${name}>[a-z]+)`).join(";")}`;
    await expectSuccess(add(pattern, template));
  });

  test.each([
    [
      "an unclosed group",
      "(foo",
      URL_TEMPLATE,
      "Bad regular expression: error parsing regexp: missing closing ): `(foo`",
    ],
    ["too many repetitions", "ZUL-(?P<id>\\d????)", URL_TEMPLATE, "Bad regular expression:"],
    ["a look-ahead", "a(?=b)(?P<id>c)", URL_TEMPLATE, "Bad regular expression:"],
    ["a back-reference", "(?P<id>a)\\1", URL_TEMPLATE, "Bad regular expression:"],
    ["the same group twice", "(?P<id>a)(?P<id>b)", URL_TEMPLATE, "Bad regular expression:"],
    ["a huge automaton", "a{1,999}".repeat(20), "https://t.example/", "too large"],
    ["a pattern of 501 characters", "a".repeat(501), "https://t.example/", "pattern is too long"],
    ["no pattern", "  ", URL_TEMPLATE, "pattern can't be blank"],
    ["a pattern that may be empty", "a*", "https://t.example/", "must not match the empty text"],
    ["an empty alternative", "ab|", "https://t.example/", "must not match the empty text"],
    ["a border of a word", "\\b", "https://t.example/", "must not match the empty text"],
    ["what is no border", "\\B", "https://t.example/", "must not match the empty text"],
    ["the end of a line", "(?m)$", "https://t.example/", "must not match the empty text"],
    [
      "a group that the template has not",
      "a(?P<id>b)",
      "https://t.example/",
      "Group 'id' in linkifier pattern",
    ],
    ["a variable that the pattern has not", "a", "https://t.example/{id}", "Group 'id' in URL template"],
    ["no template", "ab", " ", "url_template can't be blank"],
    ["an unclosed variable", "ab", "https://t.example/{id", "Invalid URL template."],
    ["an unknown operator", "ab", "https://t.example/{//id}", "Invalid URL template."],
    [
      "a template of 1,001 characters",
      "ab",
      `https://t.example/${"a".repeat(984)}`,
      "url_template is too long",
    ],
  ])("is refused with %s", async (_, pattern, template, message) => {
    const before = await list();
    expect(await refusal(add(pattern, template))).toContain(message);
    expect(await list()).toEqual(before);
  });

  test.each([
    "javascript:alert(1)",
    "javascript://t.example/%0aalert(1)",
    " jAvAsCrIpT:alert(1)",
    "data:text/html,hello",
    "ftp://t.example/",
    "//t.example/",
    "/user_uploads/1",
    "t.example",
    "https:",
    "https://",
    "https:///path",
    "https://?q",
    "https:\\\\t.example",
    "https://\\t.example",
    "$not_a_url$",
  ])("leads to the web alone, not to %s", async (template) => {
    expect(await refusal(add(`${fresh}a`, template))).toContain("must begin with 'http://' or 'https://'");
  });

  test.each([
    "{+id}",
    "{id}://t.example/",
    "https{id}://t.example/",
    "https://{/id}",
    "https://{#id}",
    "https://{?id}",
  ])("can't let the matched text choose the scheme or leave the host out: %s", async (template) => {
    const message = await refusal(add(`${fresh}(?P<id>.+)`, template));
    expect(message).toContain("must begin with 'http://' or 'https://'");
  });

  test("has a pattern of its own, also among calls at the same time", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => add(`${fresh}(?P<id>[0-9]+)`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await refusal(add(` ${fresh}(?P<id>[0-9]+)`))).toContain("already exists");
    const before = harness.otherState.get(linkifiers).rows.length;
    await expectSuccess(add(`${fresh}(?P<id>[0-9]+)`, URL_TEMPLATE, "zed"));
    expect(harness.otherState.get(linkifiers).rows).toHaveLength(before + 1);
  });
});

describe("a linkifier that changes", () => {
  test("keeps its place, and old messages keep their links while topics get the new ones", async () => {
    const id = await make();
    const other = await make(`${fresh}x(?P<id>[0-9]+)`);
    const message = await say("dev", "kitchen", { topic: `${fresh}5`, content: `${fresh}5` });
    await expectSuccess(change(id, `${fresh}(?P<n>[0-9]+)`, "https://pots.example/{n}"));
    expect((await list()).slice(-2).map((each) => each.id)).toEqual([id, other]);
    const { content, topic_links } = await show("ada", message);
    expect(content).toContain('href="https://recipes.example/5"');
    expect(topic_links).toEqual([{ text: `${fresh}5`, url: "https://pots.example/5" }]);
    const later = await show("ada", await say("dev", "kitchen", { content: `${fresh}5` }));
    expect(later.content).toContain('href="https://pots.example/5"');
  });

  test("may keep its pattern, but can't take another's, and is checked as a new one is", async () => {
    const id = await make();
    await make(`${fresh}x(?P<id>[0-9]+)`);
    await expectSuccess(change(id, `${fresh}(?P<id>[0-9]+)`, "https://pots.example/{id}"));
    expect(await refusal(change(id, `${fresh}x(?P<id>[0-9]+)`))).toContain("already exists");
    expect(await refusal(change(id, "(", URL_TEMPLATE))).toContain("Bad regular expression");
    expect(await refusal(change(id, "a", "javascript:a"))).toContain("must begin with");
    const missing = await harness.as("ben").patch(`/realm/filters/${id}`, { pattern: "a" });
    expect(missing.body).toMatchObject({ code: "REQUEST_VARIABLE_MISSING", var_name: "url_template" });
    expect((await list()).find((each) => each.id === id)).toMatchObject({
      pattern: `${fresh}(?P<id>[0-9]+)`,
      url_template: "https://pots.example/{id}",
    });
  });
});

test("a removed linkifier makes no new links, and messages keep theirs", async () => {
  const id = await make();
  const message = await say("dev", "kitchen", { topic: `${fresh}5`, content: `${fresh}5` });
  await expectSuccess(remove(id));
  const { content, topic_links } = await show("ada", message);
  expect([content, topic_links]).toEqual([`<p><a href="https://recipes.example/5">${fresh}5</a></p>`, []]);
  expect(await refusal(remove(id))).toBe("Linkifier not found.");
  expect(await refusal(change(id, "x"))).toBe("Linkifier not found.");
});

test("a linkifier of another organization is a missing one", async () => {
  const { id } = await expectSuccess(add(`${fresh}(?P<id>[0-9]+)`, URL_TEMPLATE, "zed"));
  expect(await refusal(remove(id))).toBe("Linkifier not found.");
  expect(await refusal(change(id, `${fresh}(?P<id>[0-9]+)`))).toBe("Linkifier not found.");
});

describe("the order of linkifiers", () => {
  test("decides which of two patterns for one place makes the link", async () => {
    const wide = await make(`${fresh}(?P<id>.+)`);
    await make(`${fresh}(?P<id>[0-9]+)`);
    await expectSuccess(change(wide, `${fresh}(?P<id>.+)`, "https://wide.example/{id}"));
    const rest = (await list()).map(({ id }) => id);
    const links = async () =>
      (await show("ada", await say("dev", "kitchen", { topic: `${fresh}5` }))).topic_links;
    expect(await links()).toMatchObject([{ url: "https://wide.example/5" }]);
    await expectSuccess(reorder([...rest.filter((id) => id !== wide), wide]));
    expect(await links()).toMatchObject([{ url: "https://recipes.example/5" }]);
    expect((await list()).at(-1)?.id).toBe(wide);
    expect(await make(`${fresh}!`.concat("(?P<id>a)"))).toBe((await list()).at(-1)?.id);
  });

  test("must name each linkifier once", async () => {
    await make();
    await make(`${fresh}x(?P<id>[0-9]+)`);
    const order = (await list()).map(({ id }) => id);
    const all = "The ordered list must enumerate all existing linkifiers exactly once";
    for (const wrong of [[], order.slice(1), [...order, 99999], [...order.slice(1), 99999]]) {
      expect(await refusal(reorder(wrong))).toBe(all);
    }
    const twice = "The ordered list must not contain duplicated linkifiers";
    expect(await refusal(reorder([...order, order[0]]))).toBe(twice);
    expect((await list()).map(({ id }) => id)).toEqual(order);
  });
});

test("a node that starts has the linkifiers in the order of the others", async () => {
  const { database } = harness.services;
  const state = await OrganizationState.load(database, harness.state.organizationId, harness.state.parts);
  expect(state.get(linkifiers).rows).toEqual(harness.state.get(linkifiers).rows);
});

test("an organization has at most 100 linkifiers", async () => {
  const left = MAX_LINKIFIERS - (await list()).length;
  for (let n = 0; n < left; n++) await make(`${fresh}${n}x(?P<id>[0-9]+)`);
  expect(await refusal(add(`${fresh}more`, "https://t.example/"))).toContain("at most 100 linkifiers");
  const [first] = await list();
  await expectSuccess(remove(first?.id as number));
  await expectSuccess(add(`${fresh}more`, "https://t.example/"));
  expect(await list()).toHaveLength(MAX_LINKIFIERS);
});
