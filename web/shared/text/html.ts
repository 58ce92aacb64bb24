/**
 * The one place where text of messages becomes elements. It takes the server's HTML, or that of the same
 * renderer in the browser, both of which hold no script.
 */
interface HtmlPolicy {
  createHTML(text: string): string;
}

declare global {
  interface Window {
    trustedTypes?: { createPolicy<R>(name: string, rules: R): R };
  }
}

const rules: HtmlPolicy = { createHTML: withoutStyles };
const policy = window.trustedTypes?.createPolicy("message-html", rules) ?? rules;

export function setHtml(element: Element, html: string): void {
  element.innerHTML = policy.createHTML(html);
}

/** A page of its own, which runs no script and loads nothing. It is never shown. */
export function parseInert(html: string): Document {
  return new DOMParser().parseFromString(policy.createHTML(html), "text/html");
}

/**
 * The page's policy allows no style attributes. Those of tables become an attribute that the style sheet
 * knows, and those of a page's picture the address of the picture. Those of formulas belong to a drawing that
 * is not shown, since browsers draw MathML themselves.
 */
function withoutStyles(html: string): string {
  if (!html.includes(" style=")) return html;
  return html.replace(
    /(<[a-z][a-z0-9]*(?: [\w-]+="[^"]*")*) style="([^"]*)"/g,
    (_whole, start: string, style: string) => {
      const align = /text-align: (left|right|center)/.exec(style)?.[1];
      if (align) return `${start} data-align="${align}"`;
      const picture = /^background-image: url\(&quot;([^&]*)&quot;\)$/.exec(style)?.[1];
      return picture ? `${start} data-picture="${picture}"` : start;
    },
  );
}
