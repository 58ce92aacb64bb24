import { type Token, tokensIn } from "./tokens.ts";

/** Whole formulas, whose elements must not be split; tags; character references; and visible text. */
const PIECE =
  /<math\b[\s\S]*?<\/math>|<(?:"[^"]*"|'[^']*'|[^>"'])*>|&(?:#\d+|#x[0-9a-f]+|[0-9a-z]+);|[^<&]+|[<&]/gi;

/** The visible words of HTML, with their places in it. */
export function tokensInHtml(html: string): Token[] {
  const words: Token[] = [];
  for (const { 0: piece, index } of html.matchAll(PIECE)) {
    const isText = !piece.startsWith("<") && !piece.startsWith("&");
    if (isText) words.push(...tokensIn(piece, index));
  }
  return words;
}
