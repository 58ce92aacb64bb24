/**
 * What a page says of itself for others: Open Graph, Twitter's tags, and the title. The tokens of its head
 * are read one after another. No tree is built, so neither depth nor size of a page matters beyond the bytes
 * that were fetched.
 */
import { isOutsideUrl } from "./addresses.ts";

export interface PageFacts {
  title: string | null;
  description: string | null;
  imageUrl: string | null;
}

/** In characters. */
const MAX_TITLE = 200;
const MAX_DESCRIPTION = 400;
const MAX_VALUE = 4000;
const MAX_IMAGE_URL = 2000;

/** The tags from which each fact is taken, the best first. */
const NAMES = {
  title: ["og:title", "twitter:title"],
  description: ["og:description", "twitter:description", "description"],
  image: ["og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"],
} as const;
const WANTED: ReadonlySet<string> = new Set(Object.values(NAMES).flat());

/** `url`: where the page was found, for relative addresses in it. */
export async function pageFactsOf(html: string, url: string): Promise<PageFacts> {
  const { values, title } = await readHead(html);
  const first = (names: readonly string[]) => {
    const name = names.find((each) => (values.get(each) ?? "") !== "");
    return name === undefined ? "" : (values.get(name) ?? "");
  };
  return {
    title: shown(first(NAMES.title) || title, MAX_TITLE),
    description: shown(first(NAMES.description), MAX_DESCRIPTION),
    imageUrl: imageUrlOf(first(NAMES.image), url),
  };
}

interface Head {
  values: Map<string, string>;
  title: string;
}

/** The first value of each name counts. */
async function readHead(html: string): Promise<Head> {
  const { Tokenizer } = await import("htmlparser2");
  const values = new Map<string, string>();
  let title: string | undefined;
  let tag = "";
  let attribute = "";
  let attributes: Record<string, string> = {};
  let isInTitle = false;
  const add = (text: string) => {
    const before = attributes[attribute];
    if (before !== undefined && before.length < MAX_VALUE) attributes[attribute] = before + text;
  };
  const addTitle = (text: string) => {
    if (isInTitle && title !== undefined && title.length < MAX_VALUE) title += text;
  };
  const open = () => {
    if (tag === "title" && title === undefined) {
      isInTitle = true;
      title = "";
    }
    const name = (attributes.property ?? attributes.name ?? "").trim().toLowerCase();
    if (tag === "meta" && WANTED.has(name) && !values.has(name)) values.set(name, attributes.content ?? "");
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = html.slice(start, end).toLowerCase();
        attributes = {};
        // What follows is no longer about the page.
        if (tag === "body") tokenizer.pause();
      },
      onattribname(start, end) {
        attribute = html.slice(start, Math.min(end, start + MAX_NAME)).toLowerCase();
        // Only a few are kept, whatever a tag has.
        if (KEPT.has(attribute)) attributes[attribute] = "";
      },
      onattribdata: (start, end) => add(html.slice(start, Math.min(end, start + MAX_VALUE))),
      onattribentity: (code) => add(String.fromCodePoint(code)),
      onattribend() {
        attribute = "";
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag(start, end) {
        isInTitle = false;
        if (html.slice(start, end).toLowerCase() === "head") tokenizer.pause();
      },
      ontext: (start, end) => addTitle(html.slice(start, Math.min(end, start + MAX_VALUE))),
      ontextentity: (code) => addTitle(String.fromCodePoint(code)),
      oncdata() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return { values, title: title ?? "" };
}

const MAX_NAME = 50;
const KEPT: ReadonlySet<string> = new Set(["property", "name", "content"]);

/** Characters that show nothing, or turn the direction of what stands around the text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;

/** On one line, cut. null for nothing. */
function shown(text: string, limit: number): string | null {
  const line = text.replace(/\s+/g, " ").replace(HIDDEN, "").trim();
  if (line === "") return null;
  const characters = [...line];
  return characters.length <= limit
    ? line
    : `${characters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

function imageUrlOf(text: string, url: string): string | null {
  const given = text.trim();
  if (given === "" || given.length > MAX_IMAGE_URL || !URL.canParse(given, url)) return null;
  const { href } = new URL(given, url);
  return href.length <= MAX_IMAGE_URL && isOutsideUrl(href) ? href : null;
}
