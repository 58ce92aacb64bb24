const known = new Map<string, string>();
const MAX_KNOWN = 50_000;

/** Without case, accents and the space around: how people type names. Names come again with every key. */
export function fold(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  const folded = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, folded);
  return folded;
}
