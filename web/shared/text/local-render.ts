/**
 * The server's renderer in the browser, for previews and for messages on their way. It is fetched after the
 * first paint. Colours of code and typeset formulas are the server's alone.
 */

import type { RenderedMessage } from "../../../markdown/render.ts";

let render: typeof import("./renderer.ts").render | undefined;

/** Without a network it is asked for again with the next box, or the next preview. */
export async function loadRenderer(): Promise<void> {
  if (render) return;
  try {
    ({ render } = await import("./renderer.ts"));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** undefined: the renderer is not there yet. */
export function renderIfReady(content: string): RenderedMessage | undefined {
  return render?.(content);
}

/** Plain paragraphs until the renderer is there. */
export function renderLocally(content: string): string {
  const lines = widgetLines(content);
  if (lines) return outlineOf(lines);
  if (render) return render(content).html;
  return `<p>${escaped(content).replace(/\n/g, "<br>\n")}</p>`;
}

/** The name and the entries in the text of a poll or a list of tasks, as the server reads it. */
function widgetLines(content: string): string[] | undefined {
  const command = /^\/(?:poll|todo)(?=\s|$)/.exec(content);
  if (!command) return undefined;
  const [name = "", ...entries] = content.slice(command[0].length).split(/\r\n|\r|\n/);
  return [name, ...entries.map((entry) => entry.trim().replace(/^[-*]?\s*/, ""))].map((line) => line.trim());
}

/** What stands in the place of an interactive message until its event brings that. */
function outlineOf([name = "", ...entries]: readonly string[]): string {
  const items = entries.filter((entry) => entry !== "").map((entry) => `<li>${escaped(entry)}</li>`);
  const list = items.length > 0 ? `<ul>${items.join("")}</ul>` : "";
  return `<p><strong>${escaped(name)}</strong></p>${list}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (one) => ({ "&": "&amp;", "<": "&lt;" })[one] ?? "&gt;");
}
