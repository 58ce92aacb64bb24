/**
 * The help for people: docs/help/, a folder for each language with the same pages. They are read when
 * somebody first asks for them, and rendered like messages.
 */
import { existsSync, readFileSync } from "node:fs";
import type { Lookups } from "../../../markdown/lookups.ts";
import { createRenderer } from "../../../markdown/render.ts";

export const helpLanguages = ["en", "de"] as const;
export type HelpLanguage = (typeof helpLanguages)[number];

/** In the order in which somebody who is new reads them. */
export const helpPageNames = [
  "first-steps",
  "topics",
  "conversations",
  "writing",
  "search",
  "notifications",
  "keyboard",
  "coming-from",
  "privacy",
  "administration",
] as const;
export type HelpPageName = (typeof helpPageNames)[number];

export interface HelpPage {
  name: HelpPageName;
  title: string;
  /** The first paragraph as HTML. */
  summary: string;
  /** Everything below the title as HTML. */
  html: string;
}

/** Sources may run where they are, or from dist/. */
const folder = ["../../../docs/help/", "../../../../docs/help/"]
  .map((place) => new URL(place, import.meta.url))
  .find((place) => existsSync(place));

const renderer = createRenderer();
const known = new Map<HelpLanguage, readonly HelpPage[]>();

export function listHelpPages(language: HelpLanguage): readonly HelpPage[] {
  const before = known.get(language);
  if (before) return before;
  const pages = folder ? helpPageNames.map((name) => readPage(folder, language, name)) : [];
  known.set(language, pages);
  return pages;
}

function readPage(place: URL, language: HelpLanguage, name: HelpPageName): HelpPage {
  const source = readFileSync(new URL(`${language}/${name}.md`, place), "utf8");
  const { html } = renderer.render(withAddresses(unwrap(source)), nobody);
  const [, title = "", rest = ""] = /^<h1>(.*?)<\/h1>\n?([\s\S]*)$/.exec(html) ?? [];
  const summary = /^<p>([\s\S]*?)<\/p>/.exec(rest)?.[1] ?? "";
  return { name, title, summary, html: withAnchors(rest) };
}

/** In messages each line is a line. In files, lines are wrapped to a width. */
export function unwrap(source: string): string {
  let isInCode = false;
  let joined = "";
  for (const line of source.split("\n")) {
    const isFence = /^\s*(```|~~~)/.test(line);
    const isNew = isInCode || isFence || line.trim() === "" || /^\s*([*-] |\d+\. |#|\||>)/.test(line);
    const last = joined.slice(joined.lastIndexOf("\n", joined.length - 2) + 1);
    const goesOn = !isNew && last.trim() !== "" && !/^(#|\||```|~~~)/.test(last) && joined !== "";
    joined = goesOn ? `${joined.trimEnd()} ${line.trim()}\n` : `${joined}${line}\n`;
    if (isFence) isInCode = !isInCode;
  }
  return joined;
}

/** Links between files become links between pages. */
function withAddresses(source: string): string {
  return source.replace(/\]\(([a-z-]+)\.md(#[^)]*)?\)/g, (_whole, name: string, anchor = "") => {
    return `](/help/${name}${anchor})`;
  });
}

/** Headings can be linked to, as on hosts of repositories. */
function withAnchors(html: string): string {
  return html.replace(/<h([2-6])>(.*?)<\/h\1>/g, (_whole, level: string, inner: string) => {
    const plain = inner.replace(/<[^>]*>/g, "").replace(/&[a-z#0-9]+;/g, "");
    const id = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    return `<h${level} id="${id}">${inner}</h${level}>`;
  });
}

/** The pages mention nobody. */
const nobody: Lookups = {
  userByName: () => [],
  userById: () => undefined,
  groupByName: () => undefined,
  channelByName: () => undefined,
  baseUrl: "",
  emptyTopicName: "general chat",
};
