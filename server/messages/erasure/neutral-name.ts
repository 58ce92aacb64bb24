/** Mentions of a person whose account was erased, in texts that others wrote. */
import { escapeText } from "../../../markdown/escape.ts";
import { escapeRegExp } from "../../platform/std/escape-regexp.ts";

export interface ErasedPerson {
  id: number;
  /** The neutral name. */
  name: string;
}

/** A message's Markdown and the HTML of it. */
export interface Text {
  content: string;
  html: string;
}

/** What the HTML of every mention of the person has, silent or not. */
export function mentionOf({ id }: Pick<ErasedPerson, "id">): string {
  return `data-user-id="${id}"`;
}

/**
 * The same text with the neutral name in each mention. The HTML says by which names the person was mentioned:
 * it may have been another one at that time. The text is not rendered again. Other things in it, such as
 * links to channels, would change too.
 */
export function withNeutralName({ content, html }: Text, person: ErasedPerson): Text {
  const names = new Set<string>();
  const mention = new RegExp(
    `(<span class="user-mention(?: silent)?" ${mentionOf(person)}>)(@?)([^<]*)(?=</span>)`,
    "g",
  );
  const neutralHtml = html.replace(mention, (_, tag: string, at: string, name: string) => {
    names.add(unescapeText(name));
    return `${tag}${at}${escapeText(person.name)}`;
  });
  // In code, a mention is text like any other.
  const inCode = (name: string) => escapeText(name);
  return {
    content: replaceSources(content, names, person, (name) => name),
    html: replaceSources(neutralHtml, names, person, inCode),
  };
}

/** `@**Name**` and `@_**Name|ID**`. Names are compared as the renderer finds people: in any case. */
function replaceSources(
  text: string,
  names: ReadonlySet<string>,
  { id, name }: ErasedPerson,
  written: (name: string) => string,
): string {
  const withId = new RegExp(`(@_?\\*\\*)[^*\\n]*\\|${id}(?=\\*\\*)`, "g");
  let out = text.replace(withId, (_, open: string) => `${open}${written(name)}|${id}`);
  for (const old of names) {
    const plain = new RegExp(`(@_?\\*\\*)${escapeRegExp(written(old))}(?=\\*\\*)`, "gi");
    out = out.replace(plain, (_, open: string) => `${open}${written(name)}|${id}`);
  }
  return out;
}

function unescapeText(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
