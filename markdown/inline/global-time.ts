import { escapeAttribute, escapeText } from "../escape.ts";
import { parseTime } from "./parse-time.ts";
import { HAS, type InlineRule } from "./phrase.ts";

/** `<time:…>`: a time that each reader sees in their own time zone. */
export const globalTime: InlineRule = {
  needs: HAS.less,
  apply(text, session) {
    let out = "";
    let done = 0;
    for (let at = text.indexOf("<time:"); at !== -1; at = text.indexOf("<time:", done)) {
      const end = text.indexOf(">", at);
      if (end === -1) break;
      const typed = session.sourceOf(text.slice(at + 6, end));
      out += text.slice(done, at) + session.storePhrase(renderTime(typed), text.slice(at, end + 1));
      done = end + 1;
    }
    return out + text.slice(done);
  },
};

function renderTime(typed: string): string {
  const moment = parseTime(typed);
  if (moment === null)
    return `<span class="timestamp-error">Invalid time format: ${escapeText(typed)}</span>`;
  return `<time datetime="${escapeAttribute(moment)}">${escapeText(typed)}</time>`;
}
