/** Formatted text of other programs as Markdown. */
import { parseInert } from "../shared/text/html.ts";

/** undefined: the plain text says the same. */
export function pastedMarkdown(html: string, plain: string): string | undefined {
  if (!/<(a|b|strong|i|em|code|pre|ul|ol|h[1-6]|blockquote)\b/i.test(html)) return undefined;
  const markdown = markdownOf(html).trim();
  return markdown === "" || markdown === plain.trim() ? undefined : markdown;
}

/** Only texts and addresses are read from the parsed page. */
function markdownOf(html: string): string {
  return blocks(parseInert(html).body)
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n");
}

function blocks(parent: Node, indent = ""): string {
  return [...parent.childNodes].map((node) => block(node, indent)).join("");
}

function block(node: Node, indent: string): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? "").replace(/\s+/g, " ");
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  const element = node as HTMLElement;
  const inner = () => blocks(element, indent);
  switch (element.localName) {
    case "script":
    case "style":
    case "head":
      return "";
    case "br":
      return `\n${indent}`;
    case "b":
    case "strong":
      // One office program wraps everything in an element that is not bold.
      return element.id.startsWith("docs-internal") ? inner() : around(inner(), "**");
    case "i":
    case "em":
      return around(inner(), "*");
    case "s":
    case "del":
      return around(inner(), "~~");
    case "code":
      return around(element.textContent ?? "", "`");
    case "pre":
      return `\n\n\`\`\`\n${(element.textContent ?? "").replace(/\n$/, "")}\n\`\`\`\n\n`;
    case "a":
      return link(element, inner());
    case "li":
      return `\n${indent}${marker(element)} ${blocks(element, `${indent}  `).trim()}`;
    case "ul":
    case "ol":
      return `\n${inner()}\n`;
    case "blockquote":
      return `\n\n${inner().trim().replace(/^/gm, "> ")}\n\n`;
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
      return `\n\n${"#".repeat(Number(element.localName[1]))} ${inner().trim()}\n\n`;
    case "p":
      return `\n\n${inner().trim()}\n\n`;
    case "div":
    case "tr":
      return `\n${inner().trim()}\n`;
    default:
      return inner();
  }
}

/** The marks touch the words, and spaces stay outside. */
function around(text: string, mark: string): string {
  const [, before = "", words = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return words === "" ? text : `${before}${mark}${words}${mark}${after}`;
}

function link(element: HTMLElement, text: string): string {
  const address = element.getAttribute("href") ?? "";
  if (!/^(https?|mailto):/i.test(address) || text.trim() === "") return text;
  return text.trim() === address ? address : `[${text.trim()}](${address})`;
}

function marker(item: HTMLElement): string {
  if (item.parentElement?.localName !== "ol") return "*";
  const place = [...item.parentElement.children].indexOf(item);
  return `${place + 1}.`;
}
