/** Text that means only itself in Markdown. */
export function escaped(text: string): string {
  return text
    .replace(/&(?=#?\w{1,30};)/g, "&amp;")
    .replace(/\*/g, "&#42;")
    .replace(/`/g, "&#96;")
    .replace(/~~/g, "&#126;~")
    .replace(/\$\$/g, "&#36;$")
    .replace(/\]\(/g, "]&#40;")
    .replace(/<(?=time:)/g, "&lt;");
}
