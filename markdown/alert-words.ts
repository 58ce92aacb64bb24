/** Alert words: words and phrases that people asked to be told about. */

const BEFORE = " \n(\".,';[*`>";
const AFTER = " \n)\",?:.;'!]*`";

interface Node {
  next: Map<number, Node>;
  word: string | undefined;
}

/** Finds any of many words in one pass; the cost of a text does not grow with the number of words. */
export class AlertWordFinder {
  readonly #root: Node = { next: new Map(), word: undefined };
  #isEmpty = true;

  /** Letter case does not matter; a word found is reported in lower case. */
  constructor(words: Iterable<string>) {
    for (const word of words) this.#add(word.trim().toLowerCase());
  }

  /** The words that occur on their own, between spaces or punctuation; each once, in order of appearance. */
  find(text: string): string[] {
    if (this.#isEmpty) return [];
    const lower = text.toLowerCase();
    const found = new Set<string>();
    for (let start = 0; start < lower.length; start++) {
      if (start > 0 && !BEFORE.includes(lower[start - 1]!)) continue;
      let node: Node | undefined = this.#root;
      for (let at = start; node !== undefined; at++) {
        if (node.word !== undefined && (at === lower.length || AFTER.includes(lower[at]!)))
          found.add(node.word);
        node = at < lower.length ? node.next.get(lower.charCodeAt(at)) : undefined;
      }
    }
    return [...found];
  }

  #add(word: string): void {
    if (word === "") return;
    this.#isEmpty = false;
    let node = this.#root;
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i);
      let next = node.next.get(code);
      if (next === undefined) {
        next = { next: new Map(), word: undefined };
        node.next.set(code, next);
      }
      node = next;
    }
    node.word = word;
  }
}

/** Whether any of the words occurs in the text on its own. */
export function containsAlertWord(text: string, words: Iterable<string>): boolean {
  return new AlertWordFinder(words).find(text).length > 0;
}
