/**
 * Most messages are a few words. One pass tells whether a text holds nothing that any rule could match.
 * Then the HTML is the text itself, in a paragraph. Every text accepted here must render to the same
 * bytes in the full renderer; `plain-text.test.ts` checks that.
 */

const NEVER = 0;
const ALWAYS = 1;
/** Not at the start of a line, where it could begin a list, a rule or indented code. */
const INSIDE_A_LINE = 2;
/** Only before a space, punctuation or the end: "example.com" is a link and ":name:" an emoji. */
const BEFORE_A_GAP = 3;

const KINDS = new Uint8Array(128);
for (let code = 0; code < 128; code++) KINDS[code] = kindOf(String.fromCharCode(code));

function kindOf(character: string): number {
  if (/[a-zA-Z'"()!?]/.test(character)) return ALWAYS;
  if (/[0-9 ,;%=/_{}^\\+-]/.test(character)) return INSIDE_A_LINE;
  return character === "." || character === ":" ? BEFORE_A_GAP : NEVER;
}

/** The HTML of a text without any syntax, or null when the text must be parsed. */
export function renderPlainText(text: string): string | null {
  const { length } = text;
  if (length === 0) return "";
  let isLineStart = true;
  let hasBreaks = false;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10) {
      if (isLineStart || i === length - 1) return null;
      isLineStart = true;
      hasBreaks = true;
      continue;
    }
    const kind = code < 128 ? KINDS[code]! : isPlainLetter(code) ? ALWAYS : NEVER;
    if (kind === NEVER || (isLineStart && kind !== ALWAYS)) return null;
    if (kind === BEFORE_A_GAP && !isGap(text.charCodeAt(i + 1))) return null;
    isLineStart = false;
  }
  return `<p>${hasBreaks ? text.replaceAll("\n", "<br>\n") : text}</p>`;
}

/** Scripts without emoji among them, and without the characters that Unicode counts as spaces. */
function isPlainLetter(code: number): boolean {
  return (
    (code >= 0xc0 && code <= 0x167f) ||
    (code >= 0x1e00 && code <= 0x1fff) ||
    code === 0x2019 ||
    (code >= 0x3041 && code <= 0x30ff) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3)
  );
}

/**
 * A space, a line's end, the text's end, or , ; ! ? ) ' " . without anything that could continue an
 * address or a name.
 */
function isGap(code: number): boolean {
  return (
    Number.isNaN(code) ||
    code === 32 ||
    code === 10 ||
    code === 44 ||
    code === 33 ||
    code === 63 ||
    code === 46
  );
}
