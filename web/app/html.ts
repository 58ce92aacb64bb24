/**
 * The one place where text of messages becomes elements. It takes the server's HTML, or that of the same
 * renderer in the browser, both of which hold no script.
 */
interface HtmlPolicy {
  createHTML(text: string): string;
}

declare global {
  interface Window {
    trustedTypes?: { createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy };
  }
}

const rules: HtmlPolicy = { createHTML: withoutStyles };
const policy = window.trustedTypes?.createPolicy("message-html", rules) ?? rules;

export function setHtml(element: Element, html: string): void {
  element.innerHTML = policy.createHTML(html);
}

/**
 * The page's policy allows no style attributes. Those of tables become an attribute that the style sheet
 * knows. Those of formulas belong to a drawing that is not shown, since browsers draw MathML themselves.
 */
function withoutStyles(html: string): string {
  if (!html.includes(" style=")) return html;
  return html.replace(
    /(<[a-z][a-z0-9]*(?: [\w-]+="[^"]*")*) style="([^"]*)"/g,
    (_whole, start: string, style: string) => {
      const align = /text-align: (left|right|center)/.exec(style)?.[1];
      return align ? `${start} data-align="${align}"` : start;
    },
  );
}
