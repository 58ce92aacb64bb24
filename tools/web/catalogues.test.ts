import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { catalogueLanguage, wholeCatalogue } from "./catalogues.js";

function write(catalogues: Record<string, object>): string {
  const root = mkdtempSync(path.join(tmpdir(), "parley-texts-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = path.join(root, "i18n");
  mkdirSync(folder);
  for (const [code, texts] of Object.entries(catalogues))
    writeFileSync(path.join(folder, `${code}.json`), JSON.stringify(texts));
  return folder;
}

test("a text that a region lacks is that of its language, or else the English one", () => {
  const folder = write({
    en: { send: "Send", edit: "Edit", bin: "Trash" },
    pt: { send: "Enviar", edit: "Editar" },
    "pt-PT": { send: "", bin: "Lixo" },
  });
  const whole = wholeCatalogue(path.join(folder, "pt-PT.json"));
  expect(whole).toEqual({ send: "Enviar", edit: "Editar", bin: "Lixo" });
  // The order is the one of the English texts, as in all catalogues.
  expect(Object.keys(whole)).toEqual(["send", "edit", "bin"]);
});

test("only files of texts are catalogues", () => {
  expect(catalogueLanguage("/x/web/i18n/settings/zh-Hans.json")).toBe("zh-Hans");
  expect(catalogueLanguage("i18n/de.json")).toBe("de");
  expect(catalogueLanguage("/x/web/ui/icons.json")).toBeUndefined();
  expect(catalogueLanguage("/x/web/i18n/glossary/fr.md")).toBeUndefined();
});
