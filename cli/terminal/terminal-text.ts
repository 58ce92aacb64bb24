// Text written by other people, made safe for a terminal. Control sequences could move the cursor, change
// colors or the title, or make the terminal type an answer. None of them may pass.

/** Control characters except line breaks and tabs, and characters that change the direction of text. */
const DANGEROUS = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Makes a text of several lines safe to print. */
export function safeText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(DANGEROUS, "").replaceAll("\t", "    ");
}

/** Makes a text that must stay on one line, such as a name, safe to print. */
export function safeLine(text: string): string {
  return safeText(text).replace(/\s*\n\s*/g, " ");
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]/u;

let segmenter: Intl.Segmenter | undefined;

/** Its characters as people see them. The tables that this needs are read when a command first asks. */
function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** How many columns the text takes on a terminal. East Asian letters and emoji take two each. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmentsOf(text)) {
    if (!WITHOUT_WIDTH.test(segment)) width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}

/** Breaks a line between words, and inside a word that is wider than a line. Keeps the line's indentation. */
export function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const [indent = ""] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let current = indent;
  let used = indent.length;
  const breakLine = () => {
    lines.push(current.trimEnd());
    current = indent;
    used = indent.length;
  };
  for (const piece of pieces(line.slice(indent.length), Math.max(1, width - indent.length))) {
    const needed = widthOf(piece.trimEnd());
    if (used + needed > width && current.trim() !== "") breakLine();
    current += piece;
    used += widthOf(piece);
  }
  if (current.trim() !== "") breakLine();
  return lines;
}

/** Words, each with the spaces after it. Words that are too wide are cut. */
function* pieces(text: string, width: number): Iterable<string> {
  for (const [word] of text.matchAll(/\S+\s*/g)) {
    let piece = "";
    let used = 0;
    for (const { segment } of segmentsOf(word)) {
      const needed = segment.trim() === "" ? 0 : widthOf(segment);
      if (used + needed > width && piece !== "") {
        yield piece;
        piece = "";
        used = 0;
      }
      piece += segment;
      used += needed;
    }
    if (piece !== "") yield piece;
  }
}
