import { afterEach, expect, test, vi } from "vitest";
import { catalogueFor, directionOf, findLanguage, tagOf } from "./languages.ts";
import { hasCatalogue, hasLanguage, language, needTexts, t, useLanguage } from "./t.ts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["de_AT", "de"],
  ["de", "de"],
  ["fr_CA", "fr"],
  ["es-MX", "es"],
  ["pt_BR", "pt-BR"],
  ["pt", "pt-BR"],
  ["pt-PT", "pt-BR"],
  ["ja", "ja"],
  ["zh_CN", "zh-Hans"],
  ["zh_Hans", "zh-Hans"],
  ["zh-SG", "zh-Hans"],
  ["zh", "zh-Hans"],
  ["ar-EG", "ar"],
  // Nobody who reads the one reads the other as a matter of course.
  ["zh_TW", undefined],
  ["zh-Hant", undefined],
  ["nb", undefined],
  ["en_GB", undefined],
  ["no such language", undefined],
])("a person who asks for %s gets the texts of %s", (name, code) => {
  const tag = tagOf(name);
  expect(catalogueFor(tag)).toBe(code);
  expect(hasCatalogue(tag)).toBe(code !== undefined || tag.startsWith("en"));
});

test("the script of a language says from where it is written", () => {
  const fromRight = [
    "ar",
    "he",
    "fa",
    "ur",
    "ckb",
    "ps",
    "sd",
    "ug",
    "yi",
    "dv",
    "pa-PK",
    "uz-AF",
    "az-Arab",
  ];
  for (const tag of fromRight) expect(directionOf(tag), tag).toBe("rtl");
  for (const tag of ["en", "de", "pa", "uz", "az", "ja", "zh-Hans"])
    expect(directionOf(tag), tag).toBe("ltr");
});

test("dates are of one calendar, and numbers of one kind of digits, unless the name asks for others", () => {
  const written = (name: string) => {
    const { tag } = findLanguage(name);
    const year = new Intl.DateTimeFormat(tag, { year: "numeric", timeZone: "UTC" }).format(0);
    return [year.replace(/\D/gu, ""), new Intl.NumberFormat(tag).format(12)];
  };
  for (const name of ["ar", "ar-EG", "fa", "th", "de", "ja"])
    expect(written(name), name).toEqual(["1970", "12"]);
  expect(written("ar-u-nu-arab")[1]).toBe("١٢");
});

test("a language without a catalogue has English texts from the left, and its own dates", () => {
  expect(findLanguage("he")).toMatchObject({ tag: "he", lang: "en", dir: "ltr" });
  expect(findLanguage("en_GB")).toMatchObject({ tag: "en-GB", lang: "en-GB", dir: "ltr" });
  expect(findLanguage("x-pseudo-rtl")).toMatchObject({ tag: "en", dir: "rtl" });
});

test("texts, and errors by their code, are those of the language that is shown", async () => {
  const root = { lang: "", dir: "" };
  vi.stubGlobal("document", { documentElement: root });
  await needTexts("more");
  expect([t("view.inbox"), t("menu.settings")]).toEqual(["Inbox", "Settings"]);
  // The server's own sentence says more.
  expect(t("error.SECOND_STEP_WRONG")).toBe("");
  await useLanguage("de_CH");
  expect([t("view.inbox"), t("menu.settings")]).toEqual(["Eingang", "Einstellungen"]);
  expect([hasLanguage("de_CH"), language(), root]).toEqual([true, "de-CH", { lang: "de-CH", dir: "ltr" }]);
  expect(t("error.REQUEST_VARIABLE_MISSING", { var_name: "topic" })).toBe("„topic“ fehlt.");
  expect([t("error.BAD_REQUEST"), t("error.undefined")]).toEqual(["", ""]);
  await useLanguage("x-pseudo-rtl");
  expect(root.dir).toBe("rtl");
  expect(t("view.inbox")).toMatch(/^\[\p{Script=Arabic}+ ~\]$/u);
  await useLanguage("en");
  expect([t("view.inbox"), root]).toEqual(["Inbox", { lang: "en", dir: "ltr" }]);
});
