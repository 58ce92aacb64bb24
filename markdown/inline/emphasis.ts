import { HAS, type InlineRule } from "./phrase.ts";

/** `***text***`, which may not begin or end with a space. */
export const strongEmphasis: InlineRule = {
  needs: HAS.star,
  apply(text, session, inner) {
    if (!text.includes("***")) return text;
    return text.replace(/\*\*\*(?!\s)([^*^\n]+)(?<!\s)\*\*\*/g, (whole, content: string) =>
      session.storePhrase(`<strong><em>${inner(content)}</em></strong>`, whole),
    );
  },
};

/** `**text**` within one line. */
export const strong: InlineRule = {
  needs: HAS.star,
  apply(text, session, inner) {
    let out = "";
    let done = 0;
    let at = text.indexOf("**");
    while (at !== -1) {
      const newline = text.indexOf("\n", at);
      const lineEnd = newline === -1 ? text.length : newline;
      const close = text.indexOf("**", at + 3);
      if (close === -1) break;
      if (close > lineEnd || text.charCodeAt(at + 2) === 10) {
        at = text.indexOf("**", lineEnd);
        continue;
      }
      const content = text.slice(at + 2, close);
      out +=
        text.slice(done, at) +
        session.storePhrase(`<strong>${inner(content)}</strong>`, text.slice(at, close + 2));
      done = close + 2;
      at = text.indexOf("**", done);
    }
    return out + text.slice(done);
  },
};

/** `*text*` within one line, not beginning or ending with a space. */
export const emphasis: InlineRule = {
  needs: HAS.star,
  apply(text, session, inner) {
    let out = "";
    let done = 0;
    let at = text.indexOf("*");
    while (at !== -1) {
      let end = at + 1;
      while (end < text.length && !isBarrier(text.charCodeAt(end))) end++;
      if (text.charCodeAt(end) !== 42) {
        // COMPAT: a caret ends the search just as a line's end does.
        at = text.indexOf("*", end);
        continue;
      }
      const content = text.slice(at + 1, end);
      if (content === "" || /^\s/.test(content) || isSpaceAtEnd(content)) {
        at = end;
        continue;
      }
      out +=
        text.slice(done, at) + session.storePhrase(`<em>${inner(content)}</em>`, text.slice(at, end + 1));
      done = end + 1;
      at = text.indexOf("*", done);
    }
    return out + text.slice(done);
  },
};

/** `~~text~~` within one line. */
export const strike: InlineRule = {
  needs: HAS.tilde,
  apply(text, session, inner) {
    if (!text.includes("~~")) return text;
    return text.replace(/(?<!~)~~([^~\n]+)~~(?!~)/g, (whole, content: string) =>
      session.storePhrase(`<del>${inner(content)}</del>`, whole),
    );
  },
};

function isBarrier(code: number): boolean {
  return code === 42 || code === 94 || code === 10;
}

function isSpaceAtEnd(text: string): boolean {
  return /\s$/.test(text.slice(-1));
}
