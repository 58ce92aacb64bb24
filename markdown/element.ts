/** The tree of blocks, as the block parser builds it and as it is written out. */
export interface Element {
  readonly tag: string;
  /** Attributes as they are written, with a leading space. The parser builds them from safe parts only. */
  attributes: string;
  /** Text before the first child, before inline syntax is parsed. */
  text: string;
  /** Text after the element. */
  tail: string;
  readonly children: Element[];
  /** Set once the text has been rendered. */
  html: string;
  tailHtml: string;
}

export function newElement(tag: string, text = "", attributes = ""): Element {
  return { tag, attributes, text, tail: "", children: [], html: "", tailHtml: "" };
}

export function addChild(parent: Element, tag: string, text = "", attributes = ""): Element {
  const child = newElement(tag, text, attributes);
  parent.children.push(child);
  return child;
}

/** HTML that is already finished and stands in the tree as it is. */
export const RAW = "raw";
/** Finished HTML that is put directly after what precedes it, without a line break of its own. */
export const GLUED = "glued";

/** The children of the root, each on its own line, as clients of this flavour expect. */
export function writeChildren(parent: Element): string {
  let out = "";
  for (const child of parent.children) {
    out += writeElement(child);
    if (child.tag !== GLUED) out += child.tailHtml.trim() === "" ? "\n" : child.tailHtml;
  }
  return out;
}

function writeElement(element: Element): string {
  const { tag, children } = element;
  if (tag === RAW || tag === GLUED) return element.html;
  if (tag === "hr") return "<hr>";
  const open = `<${tag}${element.attributes}>`;
  if (children.length === 0) return `${open}${element.html}</${tag}>`;
  const lead = element.html.trim() === "" && children[0]!.tag !== GLUED ? "\n" : element.html;
  return `${open}${lead}${writeChildren(element)}</${tag}>`;
}
