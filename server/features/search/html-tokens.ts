import { type Token, tokensIn } from "./tokens.ts";

/** Formulas as a whole, whose elements must not be taken apart; tags; character references; and what one reads. */
const PIECE =
  /<math\b[\s\S]*?<\/math>|<(?:"[^"]*"|'[^']*'|[^>"'])*>|&(?:#\d+|#x[0-9a-f]+|[0-9a-z]+);|[^<&]+|[<&]/gi;

/** The words that one sees in HTML, where they stand in it. */
export function tokensInHtml(html: string): Token[] {
  const words: Token[] = [];
  for (const { 0: piece, index } of html.matchAll(PIECE)) {
    const isText = !piece.startsWith("<") && !piece.startsWith("&");
    if (isText) words.push(...tokensIn(piece, index));
  }
  return words;
}
