/**
 * A rendered message as HTML for mail. Mail programs run and load what they like, so only what is listed here
 * is passed on: no attributes but the addresses of links, no pictures, and nothing that a reader has to open
 * first. What the renderer made is well-formed, and its texts are escaped.
 */
import { Html } from "../../platform/http/page.ts";

const TOKEN = /<(\/?)([a-z][a-z0-9-]*)((?:\s+[^\s=<>"]+(?:="[^"]*")?)*)\s*\/?>|[^<]+|</gi;
const ATTRIBUTE = /([^\s=]+)="([^"]*)"/g;

/** Passed on without attributes. */
const PLAIN = new Set(
  "p br strong em del code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td hr div".split(
    " ",
  ),
);
const EMPTY = new Set(["br", "hr", "img", "input", "source", "wbr"]);
/** Left out with all that is in them. */
const DROPPED = new Set(["video", "audio", "iframe", "object", "script", "style", "svg", "form", "select"]);
const DROPPED_CLASS = /\b(message_inline_image|message_embed|katex-html)\b/;
const HIDDEN_TEXT = "<p>(hidden: open the conversation to see it)</p>";

interface Open {
  name: string;
  isWritten: boolean;
  isHidden: boolean;
}

/** `site`: the address of the organization, for links that begin with a slash. */
export function mailHtml(rendered: string, site: string): Html {
  const open: Open[] = [];
  let text = "";
  for (const [token, slash, tag, attributes = ""] of rendered.matchAll(TOKEN)) {
    const isHidden = open.at(-1)?.isHidden ?? false;
    if (tag === undefined) {
      if (!isHidden) text += token === "<" ? "&lt;" : token;
    } else if (slash) {
      text += close(open, tag.toLowerCase());
    } else {
      const step = begin(tag.toLowerCase(), new Map(attributesIn(attributes)), { site, open, isHidden });
      text += step.text;
      if (step.open) open.push(step.open);
    }
  }
  while (open.length > 0) text += close(open, (open.at(-1) as Open).name);
  return new Html(text);
}

function begin(
  name: string,
  attributes: ReadonlyMap<string, string>,
  { site, open, isHidden }: { site: string; open: readonly Open[]; isHidden: boolean },
): { text: string; open?: Open } {
  const classes = attributes.get("class") ?? "";
  const hidden = { name, isWritten: false, isHidden: true };
  // A formula is shown as its source, which its element has besides two forms of it.
  if (name === "annotation") {
    const outer = open.find((each) => each.name === "math");
    const isShown = outer !== undefined && !(open[open.indexOf(outer) - 1]?.isHidden ?? false);
    return { text: "", open: { name, isWritten: false, isHidden: !isShown } };
  }
  if (isHidden) return EMPTY.has(name) ? { text: "" } : { text: "", open: hidden };
  if (name === "img") {
    return { text: /\bemoji\b/.test(classes) ? (attributes.get("alt") ?? "").replace(/[<>]/g, "") : "" };
  }
  if (/\bspoiler-content\b/.test(classes)) return { text: HIDDEN_TEXT, open: hidden };
  if (name === "math" || DROPPED.has(name) || DROPPED_CLASS.test(classes)) return { text: "", open: hidden };
  const emoji = /\bemoji-([0-9a-f]+(?:-[0-9a-f]+)*)\b/.exec(classes)?.[1];
  if (emoji !== undefined) return { text: charactersOf(emoji), open: hidden };
  if (name === "a") {
    const href = linkTo(attributes.get("href") ?? "", site);
    if (href === undefined) return { text: "", open: { name, isWritten: false, isHidden: false } };
    return { text: `<a href="${href}">`, open: { name, isWritten: true, isHidden: false } };
  }
  const isWritten = PLAIN.has(name);
  const text = isWritten ? `<${name}>` : "";
  return EMPTY.has(name) ? { text } : { text, open: { name, isWritten, isHidden: false } };
}

/** Closes what is open inside it too. A closing tag without its beginning is left out. */
function close(open: Open[], name: string): string {
  const index = open.findLastIndex((each) => each.name === name);
  if (index < 0) return "";
  const ended = open.splice(index).reverse();
  return ended.map((each) => (each.isWritten ? `</${each.name}>` : "")).join("");
}

/** The address is escaped already. undefined: it leads to no page and no mail address. */
function linkTo(href: string, site: string): string | undefined {
  if (/^(https?:\/\/|mailto:)[^\s<>"']+$/i.test(href)) return href;
  if (href.startsWith("#") && !/[\s<>"']/.test(href)) return `${site}/${href}`;
  return /^\/(?!\/)[^\s<>"'\\]*$/.test(href) ? `${site}${href}` : undefined;
}

function* attributesIn(text: string): Iterable<[string, string]> {
  for (const [, name = "", value = ""] of text.matchAll(ATTRIBUTE)) yield [name.toLowerCase(), value];
}

function charactersOf(code: string): string {
  const points = code.split("-").map((point) => Number.parseInt(point, 16));
  return points.every(
    (point) => point > 0x1f && point <= 0x10ffff && !"<>&\"'".includes(String.fromCodePoint(point)),
  )
    ? String.fromCodePoint(...points)
    : "";
}

/** The words of HTML that `mailHtml` made, one line for each block. */
export function textOfMailHtml({ text }: Html): string {
  return text
    .replace(/<(?:br|hr|\/p|\/div|\/li|\/h\d|\/tr|\/pre|\/blockquote)>/g, "\n")
    .replace(/<li>/g, "* ")
    .replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|quot|amp|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'", nbsp: " " };
