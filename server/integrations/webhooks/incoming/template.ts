/**
 * Templates of the generic integration: text with `{{path.to.field}}` for values of the payload. There are no
 * conditions and no loops. The template is as trusted as the address that it is in. The values come from
 * outside, so a template can't let them name whom to mention or which kind of address to link.
 */
import { type Fence, readFence } from "../../../../markdown/fences.ts";
import { inline, link, quoted, verbatim } from "./outside-text.ts";
import { valueAt } from "./value-at.ts";

const PATH = "\\{\\{\\s*([^{}\\s]{1,200})\\s*\\}\\}";
const PLACEHOLDER = new RegExp(PATH, "g");
const ALONE = new RegExp(`^\\s*${PATH}\\s*$`);
const LINK = new RegExp(`\\[([^[\\]\\n]{1,200})\\]\\(\\s*${PATH}\\s*\\)`, "g");
/** A mention or an address that a value would complete. */
const COMPLETED = /@(?=_?\*+\{\{)|\](?=\(\s*<?\s*\{\{)/g;
/** Further ones stay as they are. */
const MAX_PLACEHOLDERS = 50;
/** A missing field is empty. A text of several lines that is alone in its line becomes a quotation. */
export function fillTemplate(template: string, payload: unknown): string {
  const values = new Values(payload);
  let fence: Fence | undefined;
  const lines = template.split(/\r\n?|\n/).map((line) => {
    const isEnd = fence !== undefined && line.trimEnd() === fence.marker;
    const isVerbatim = fence !== undefined && !isEnd;
    if (isEnd) fence = undefined;
    else fence ??= readFence(line) ?? undefined;
    return isVerbatim ? values.fillVerbatim(line) : values.fill(line);
  });
  return lines.join("\n");
}

class Values {
  readonly #payload: unknown;
  #left = MAX_PLACEHOLDERS;

  constructor(payload: unknown) {
    this.#payload = payload;
  }

  fill(line: string): string {
    const path = ALONE.exec(line)?.[1];
    const alone = path === undefined ? "" : this.#read(path);
    if (alone.trim().includes("\n")) return `${quoted(alone)}\n`;
    return this.#replace(this.#replaceLinks(line).replace(COMPLETED, "$&\u200b"), inline);
  }

  /** In a block of code. */
  fillVerbatim(line: string): string {
    return verbatim(this.#replace(line, (text) => text));
  }

  #replaceLinks(line: string): string {
    return line.replace(LINK, (_, label: string, path: string) =>
      link(
        label.replace(PLACEHOLDER, (_placeholder, name: string) => this.#read(name)),
        this.#read(path),
      ),
    );
  }

  #replace(line: string, write: (text: string) => string): string {
    return line.replace(PLACEHOLDER, (placeholder, path: string) =>
      this.#left-- > 0 ? write(this.#read(path)) : placeholder,
    );
  }

  #read(path: string): string {
    const value = valueAt(this.#payload, path);
    if (value === undefined || value === null) return "";
    return typeof value === "string" ? value : JSON.stringify(value);
  }
}
