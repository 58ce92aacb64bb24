/** What browsers fetch of the built client, in bytes of gzip: for the first screen, and altogether. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** The source of a language's texts. */
const CATALOGUE = /(?:^|\/)i18n\/(?:\w+\/)?([\w-]+)\.json$/;

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

export interface Sizes {
  /** The files of the first screen, which the entry imports without a choice. */
  firstFiles: string[];
  firstScript: number;
  /** With the English texts. A browser fetches those of one other language at most. */
  allScript: number;
  /** The texts of each other language. */
  languages: Record<string, number>;
  css: number;
  html: number;
}

/** `folder`: that of the built client. */
export function readSizes(folder: string): Sizes {
  const total = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + statSync(path.join(folder, `${file}.gz`)).size, 0);
  const manifest = JSON.parse(readFileSync(path.join(folder, "manifest.json"), "utf8")) as Record<
    string,
    Chunk
  >;
  const first = new Map<string, Chunk>();
  const waiting = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (!chunk || first.has(key)) continue;
    first.set(key, chunk);
    waiting.push(...(chunk.imports ?? []));
  }
  const firstFiles = [...first.values()].map(({ file }) => file);
  const styles = [...first.values()].flatMap(({ css = [] }) => css);
  const scripts = readdirSync(path.join(folder, "assets")).filter((name) => name.endsWith(".js"));
  const texts = new Map<string, string>();
  for (const [source, { file }] of Object.entries(manifest)) {
    const language = CATALOGUE.exec(source)?.[1];
    if (language !== undefined && language !== "en") texts.set(file, language);
  }
  const languages: Record<string, number> = {};
  for (const [file, language] of texts) languages[language] = (languages[language] ?? 0) + total([file]);
  return {
    firstFiles,
    firstScript: total(firstFiles),
    allScript: total(scripts.map((name) => `assets/${name}`).filter((file) => !texts.has(file))),
    languages,
    css: total(styles),
    html: total(["index.html"]),
  };
}
