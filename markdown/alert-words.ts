/** Alert words: words and phrases for which people want a notification. */

const BEFORE = " \n(\".,';[*`>";
const AFTER = " \n)\",?:.;'!]*`";

/** The letters that can follow a prefix. Most prefixes have only one next letter, which needs no map. */
interface Node {
  code: number;
  child: Node | undefined;
  others: Map<number, Node> | undefined;
  word: string | undefined;
}

/** Finds any of many words in one pass; the cost of a text does not grow with the number of words. */
export class AlertWordFinder {
  readonly #root: Node = newNode();

  /** Letter case does not matter; a word found is reported in lower case. */
  constructor(words: Iterable<string>) {
    for (const word of words) this.add(word);
  }

  add(word: string): void {
    const wanted = word.trim().toLowerCase();
    if (wanted === "") return;
    let node = this.#root;
    for (let i = 0; i < wanted.length; i++)
      node = follow(node, wanted.charCodeAt(i)) ?? grow(node, wanted.charCodeAt(i));
    node.word = wanted;
  }

  /** Removes the word, except the parts that it shares with other words. */
  remove(word: string): void {
    forget(this.#root, word.trim().toLowerCase(), 0);
  }

  get isEmpty(): boolean {
    return isBare(this.#root);
  }

  /**
   * The alert words that occur on their own, between spaces or punctuation; each once, in order of
   * appearance.
   */
  find(text: string): string[] {
    if (this.isEmpty) return [];
    const lower = text.toLowerCase();
    const found = new Set<string>();
    for (let start = 0; start < lower.length; start++) {
      if (start > 0 && !BEFORE.includes(lower[start - 1]!)) continue;
      let node: Node | undefined = this.#root;
      for (let at = start; node !== undefined; at++) {
        if (node.word !== undefined && (at === lower.length || AFTER.includes(lower[at]!)))
          found.add(node.word);
        node = at < lower.length ? follow(node, lower.charCodeAt(at)) : undefined;
      }
    }
    return [...found];
  }
}

function newNode(): Node {
  return { code: -1, child: undefined, others: undefined, word: undefined };
}

function follow(node: Node, code: number): Node | undefined {
  return node.code === code ? node.child : node.others?.get(code);
}

function grow(node: Node, code: number): Node {
  const next = newNode();
  if (!node.child) {
    node.code = code;
    node.child = next;
  } else {
    node.others ??= new Map();
    node.others.set(code, next);
  }
  return next;
}

function forget(node: Node, word: string, at: number): void {
  if (at === word.length) {
    node.word = undefined;
    return;
  }
  const code = word.charCodeAt(at);
  const next = follow(node, code);
  if (!next) return;
  forget(next, word, at + 1);
  if (isBare(next)) cut(node, code);
}

function isBare({ word, child, others }: Node): boolean {
  return word === undefined && child === undefined && (others === undefined || others.size === 0);
}

function cut(node: Node, code: number): void {
  if (node.code === code) {
    node.code = -1;
    node.child = undefined;
  } else {
    node.others?.delete(code);
  }
}
