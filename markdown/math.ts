import { escapeQuotedCode, escapeText } from "./escape.ts";
import type { Session } from "./session.ts";

/** A ```math block: each part between blank lines is a formula of its own. */
export function renderMathBlock(text: string, session: Session): string {
  return text
    .split("\n\n")
    .map((tex) => {
      if (session.extras.math === undefined) return escapeText(tex).replace(/\n/g, "<br>\n");
      const html = session.mayTypeset(tex) ? session.extras.math(tex, true) : null;
      return html ?? `<span class="tex-error">${escapeFormula(tex)}</span>`;
    })
    .join("\n\n");
}

function escapeFormula(tex: string): string {
  return escapeQuotedCode(tex).replace(/&#39;/g, "&#x27;");
}

/** A formula between double dollars, inside a line. */
export function renderInlineMath(tex: string, session: Session): string {
  if (session.extras.math === undefined) return escapeText(`$$${tex}$$`);
  const html = session.mayTypeset(tex) ? session.extras.math(tex, false) : null;
  return html ?? `<span class="tex-error">${escapeText(`$$${tex}$$`)}</span>`;
}
