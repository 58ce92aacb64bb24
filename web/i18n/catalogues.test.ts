/** What every catalogue must have. A new one needs no change here: its files are found. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errors } from "../../api/errors.ts";
import { mayBeEnglish, namedByCode, notByCode } from "./check-exceptions.ts";
import { type Part, parse } from "./format.ts";
import { languages } from "./language-names.ts";

const here = new URL(".", import.meta.url);
const folders = ["", "more/", "settings/", "errors/"] as const;
type Texts = Record<string, string>;

const codesIn = (folder: string) =>
  readdirSync(new URL(folder || ".", here))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();
const read = (folder: string, code: string): Texts =>
  JSON.parse(readFileSync(new URL(`${folder}${code}.json`, here), "utf8"));

const english = Object.fromEntries(folders.map((folder) => [folder, read(folder, "en")]));
const translated = folders.flatMap((folder) =>
  codesIn(folder)
    .filter((code) => code !== "en")
    .map((code): [string, string, Texts, Texts] => [
      `${folder}${code}.json`,
      code,
      read(folder, code),
      english[folder] ?? {},
    ]),
);
const all = [
  ...folders.map((folder) => [`${folder}en.json`, "en", read(folder, "en")] as const),
  ...translated,
];

test("every language that people can choose has all catalogues, and every catalogue can be chosen", () => {
  const listed = languages.map(({ code }) => code).sort();
  for (const folder of folders) expect(codesIn(folder), folder).toEqual(listed);
});

test("no text is in two catalogues", () => {
  const keys = Object.values(english).flatMap((texts) => Object.keys(texts));
  expect(new Set(keys).size).toBe(keys.length);
});

test.each(translated)(
  "%s has every English text, none that is gone, and their order",
  (_file, _code, texts, original) => {
    const [own, wanted] = [Object.keys(texts), Object.keys(original)];
    const missing = wanted.filter((key) => !(key in texts));
    const stale = own.filter((key) => !(key in original));
    expect({ missing, stale }).toEqual({ missing: [], stale: [] });
    expect(own).toEqual(wanted);
  },
);

test.each(translated)("%s has the same values and tags in its texts", (_file, _code, texts, original) => {
  for (const [key, text] of Object.entries(texts)) {
    expect([namesIn(parse(text)), tagsIn(text)], key).toEqual([
      namesIn(parse(original[key] ?? "")),
      tagsIn(original[key] ?? ""),
    ]);
  }
});

test.each(all)("%s has the plural forms of its language, and no other", (_file, code, texts) => {
  const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
  const optional = ["fr", "es", "pt"].includes(code.split("-")[0] ?? "") ? ["many"] : [];
  const needed = pluralCategories.filter((category) => !optional.includes(category)).sort();
  for (const [key, text] of Object.entries(texts)) {
    for (const [kind, forms] of choicesIn(parse(text))) {
      const own = forms.filter((form) => !form.startsWith("=") && !optional.includes(form)).sort();
      if (kind === "plural") expect(own, key).toEqual(needed);
      else expect(own, key).toContain("other");
    }
  }
});

test.each(all)("%s has texts that can be read", (_file, _code, texts) => {
  for (const [key, text] of Object.entries(texts)) {
    expect(text, key).not.toMatch(/^\s|\s$|^$|\s{2}/);
    // The program adds these signs where they are needed. Arrows point the wrong way in some languages.
    expect(text, key).not.toMatch(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069←→]/);
    // A brace that is left over is one that does not match another.
    for (const words of wordsIn(parse(text))) expect(words, key).not.toMatch(/[{}]/);
  }
});

test.each(translated)(
  "%s has short texts where the English ones are short",
  (_file, _code, texts, original) => {
    for (const [key, text] of Object.entries(texts)) {
      const { length } = original[key] ?? "";
      const isLabel = length <= 20 && !/[.{]/.test(original[key] ?? "");
      if (isLabel)
        expect(text.length, `${key}: ${text}`).toBeLessThanOrEqual(Math.max(2 * length, length + 18));
    }
  },
);

test.each(translated)("%s has no text that was forgotten", (_file, code, texts, original) => {
  const same = Object.entries(texts)
    .filter(([key, text]) => text === original[key] && /\p{L}{2}/u.test(wordsIn(parse(text)).join(" ")))
    .map(([, text]) => text);
  expect([...new Set(same)].filter((text) => !mayBeEnglish(text, code))).toEqual([]);
});

test("every language has a glossary", () => {
  for (const { code } of languages.filter((one) => one.code !== "en")) {
    const file = new URL(`glossary/${code}.md`, here);
    expect(existsSync(file), code).toBe(true);
    const rows = readFileSync(file, "utf8").match(/^\|.*\|.*\|.*\|$/gm) ?? [];
    expect(rows.length, code).toBeGreaterThan(10);
  }
});

test("an error of the API has a text by its code, or a reason why not", () => {
  const declared = new Set(Object.values(errors).flatMap(({ code }) => code ?? []));
  const known = [...namedByCode(english["errors/"] ?? {}), ...Object.keys(notByCode)];
  expect([...declared].sort()).toEqual(known.sort());
});

/** Each choice in a text: its kind, and the forms that it has. */
function choicesIn(parts: readonly Part[]): [string, string[]][] {
  return parts.flatMap((part) => {
    if (typeof part === "string") return [];
    const [, kind = "", branches] = part;
    if (!branches) return [];
    const inner = Object.values(branches).flatMap(choicesIn);
    return [[kind, Object.keys(branches)] as [string, string[]], ...inner];
  });
}

function namesIn(parts: readonly Part[]): string[] {
  const names = parts.flatMap((part) => {
    if (typeof part === "string" || part[0].startsWith("#")) return [];
    return [part[0], ...Object.values(part[2] ?? {}).flatMap(namesIn)];
  });
  return [...new Set(names)].sort();
}

function wordsIn(parts: readonly Part[]): string[] {
  return parts.flatMap((part) =>
    typeof part === "string" ? [part] : Object.values(part[2] ?? {}).flatMap(wordsIn),
  );
}

const tagsIn = (text: string) => [...text.matchAll(/<\/?[a-z]+>/g)].map(([tag]) => tag).sort();
