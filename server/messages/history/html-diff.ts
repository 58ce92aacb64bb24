/**
 * The difference between two rendered texts, as HTML: the new text with insertions and deletions marked. Both
 * texts are our own renderings, so what is copied from them is safe. All tags of the new text stay in order,
 * so the result is balanced.
 */

/** The most table cells in the comparison of one pair of texts: some milliseconds. */
export const MAX_PAIR_WORK = 1_000_000;

/** The work that many comparisons may do together. Each comparison subtracts its own. */
export interface DiffWork {
  /** Characters of both texts, which are tokenized. One character costs as much as some fifty cells. */
  characters: number;
  /** Cells of the comparisons' tables. */
  cells: number;
}

const PIECE = /<[^>]*>|[^<\s]+|\s+/g;

interface Step {
  kind: "kept" | "came" | "went";
  piece: string;
}

/**
 * A common beginning and end are not compared. If too little work remains to compare the middle parts, the
 * old one is marked as deleted and the new one as inserted. If it is too little to tokenize both texts,
 * nothing is marked.
 */
export function diffHtml(
  before: string,
  after: string,
  work: DiffWork = { characters: Number.POSITIVE_INFINITY, cells: MAX_PAIR_WORK },
): string {
  const characters = before.length + after.length;
  if (characters > work.characters) return after;
  work.characters -= characters;
  const steps = compare(before.match(PIECE) ?? [], after.match(PIECE) ?? [], work);
  let html = "";
  let index = 0;
  while (index < steps.length) {
    const { kind, piece } = steps[index] as Step;
    if (kind === "kept" || isTag(piece)) {
      // Tags of the old text are left out, since their end tags would not match.
      if (kind !== "went") html += piece;
      index++;
      continue;
    }
    let text = "";
    for (; index < steps.length; index++) {
      const next = steps[index] as Step;
      if (next.kind !== kind || isTag(next.piece)) break;
      text += next.piece;
    }
    html += `<span class="highlight_text_${kind === "came" ? "inserted" : "deleted"}">${text}</span>`;
  }
  return html;
}

function isTag(piece: string): boolean {
  return piece.startsWith("<");
}

function compare(before: readonly string[], after: readonly string[], work: DiffWork): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const old = before.slice(start, before.length - end);
  const young = after.slice(start, after.length - end);
  const cost = old.length * young.length;
  const isLarge = cost > Math.min(work.cells, MAX_PAIR_WORK);
  if (!isLarge) work.cells -= cost;
  return [
    ...after.slice(0, start).map(kept),
    ...(isLarge ? [...old.map(went), ...young.map(came)] : compareMiddle(old, young)),
    ...after.slice(after.length - end).map(kept),
  ];
}

/** The longest common subsequence, with the usual table. */
function compareMiddle(old: readonly string[], young: readonly string[]): Step[] {
  const width = young.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] as number;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = young.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        old[i] === young[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length && j < young.length) {
    if (old[i] === young[j]) {
      steps.push(kept(young[j] as string));
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) steps.push(went(old[i++] as string));
    else steps.push(came(young[j++] as string));
  }
  return [...steps, ...old.slice(i).map(went), ...young.slice(j).map(came)];
}

const kept = (piece: string): Step => ({ kind: "kept", piece });
const came = (piece: string): Step => ({ kind: "came", piece });
const went = (piece: string): Step => ({ kind: "went", piece });
