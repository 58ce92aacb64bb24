// The catalogues of texts in web/i18n, for the build: which there are, and what fills the gaps of one.
import fs from "node:fs";
import path from "node:path";

/** The catalogue's language, by the path of its file; undefined for other files. @param {string} file */
export function catalogueLanguage(file) {
  return /(?:^|\/)i18n\/(?:more\/|settings\/|errors\/)?([\w-]+)\.json$/.exec(file)?.[1];
}

/**
 * Gives each catalogue the texts that it lacks: those of its language without a region, and else the English
 * ones. So a browser fetches one language, and no key is ever without a text.
 * @returns {import("vite").Plugin}
 */
export function wholeCatalogues() {
  return {
    name: "whole-catalogues",
    enforce: "pre",
    load(id) {
      return catalogueLanguage(id) === undefined ? null : JSON.stringify(wholeCatalogue(id));
    },
  };
}

/** @param {string} file @returns {Record<string, string>} */
export function wholeCatalogue(file) {
  const language = catalogueLanguage(file) ?? "";
  const codes = ["en", language.split("-")[0] ?? "", language];
  const texts = codes.map((code) => read(path.join(path.dirname(file), `${code}.json`)));
  return Object.assign({}, ...texts);
}

/** A text that is empty counts as absent: translators' programs write so. @param {string} file */
function read(file) {
  if (!fs.existsSync(file)) return {};
  const texts = Object.entries(JSON.parse(fs.readFileSync(file, "utf8")));
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}
