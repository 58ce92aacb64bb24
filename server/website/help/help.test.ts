import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { searchOperators } from "../../../client/search/operators.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { addSession } from "../../../test/harness/sessions.ts";
import { acceptedLanguage } from "./language.ts";
import { helpLanguages, helpPageNames, unwrap } from "./sources.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

async function get(url: string, headers: Record<string, string> = {}) {
  const reply = await harness.app.inject({ url, headers: { host: "localhost", ...headers } });
  const language = /<html lang="(\w+)">/.exec(reply.body)?.[1];
  return { ...reply, status: reply.statusCode, language, body: reply.body, headers: reply.headers };
}

const folder = new URL("../../../docs/help/", import.meta.url);
const source = (language: string, name: string) =>
  readFileSync(new URL(`${language}/${name}.md`, folder), "utf8");

test("every page is there in every language, with the same parts", () => {
  for (const language of helpLanguages) {
    const files = readdirSync(new URL(`${language}/`, folder));
    expect(files.sort(), language).toEqual(helpPageNames.map((name) => `${name}.md`).sort());
  }
  const parts = (text: string) =>
    text.split("\n").flatMap((line) => /^(#+|\* |\d+\.|\||```)/.exec(line)?.[1] ?? []);
  for (const name of helpPageNames)
    expect(parts(source("de", name)), name).toEqual(parts(source("en", name)));
});

test("everyone can read the pages, and every link in them leads somewhere", async () => {
  const addresses = ["/help", ...helpPageNames.map((name) => `/help/${name}`)];
  for (const language of helpLanguages) {
    const pages = new Map<string, string>();
    for (const address of addresses) {
      const { status, headers, body, ...page } = await get(`${address}?language=${language}`);
      expect([status, page.language], address).toEqual([200, language]);
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(body).toMatch(/<h1>[^<]+<\/h1>/);
      expect(body).not.toMatch(/<script|style=|undefined|\.md"|http:\/\//);
      pages.set(address, body);
    }
    for (const [address, body] of pages) {
      for (const [, target = "", query, anchor] of body.matchAll(
        /href="(\/help[^"?#]*)(\?[^"#]*)?(?:#([^"]*))?"/g,
      )) {
        expect(pages.has(target), `${address}: ${target}`).toBe(true);
        expect(query, `${address}: ${target}`).toMatch(/^\?language=/);
        if (anchor) expect(pages.get(target)).toContain(`id="${anchor}"`);
      }
    }
  }
  const { status, body } = await get("/help/nothing");
  expect([status, body.includes("There is no such page")]).toEqual([404, true]);
});

test("a page comes in the language of the account, or of the browser, or as chosen", async () => {
  expect((await get("/help/topics")).language).toBe("en");
  expect((await get("/help/topics", { "accept-language": "fr, de-AT;q=0.8, en;q=0.5" })).language).toBe("de");
  const { cookie } = await addSession(harness, "dev");
  await expectSuccess(harness.as("dev").patch("/settings", { default_language: "de" }));
  const asked = await get("/help/topics", { cookie, "accept-language": "en" });
  expect(asked.language).toBe("de");
  expect(asked.headers.vary).toContain("Accept-Language");
  expect((await get("/help/topics?language=en", { cookie })).language).toBe("en");
  expect((await get("/help/topics", { cookie: `${cookie.split("=")[0]}=nothing` })).language).toBe("en");
  for (const header of ["", "x", "fr;q=1", "de;q=0", ",;,", "*"])
    expect(acceptedLanguage(header), header).toBeUndefined();
});

test("the page about searching has every operator and every value of the client", () => {
  for (const language of helpLanguages) {
    const text = source(language, "search");
    for (const { name, values = [""] } of searchOperators)
      for (const value of values) expect(text, language).toContain(`\`${name}:${value}`);
  }
});

test("wrapped lines become one, and lists, tables and code stay as they are", () => {
  const kept = "# Title\n\n| a |\n| - |\n\n```\none\ntwo\n```\n\n> quote\n";
  expect(unwrap(kept).trim()).toBe(kept.trim());
  expect(unwrap("one\ntwo\n\n* three\n  four\n* five\n1. six\n   seven").trim()).toBe(
    "one two\n\n* three four\n* five\n1. six seven",
  );
});
