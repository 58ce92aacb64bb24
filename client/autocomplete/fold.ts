const known = new Map<string, string>();
const MAX_KNOWN = 50_000;
const ascii = /^[ -~]*$/;

/** Without case, accents and the space around: how people type names. Names come again with every key. */
export function fold(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  // Ten thousand names are folded for the first key, and most have no accents.
  const plain = ascii.test(text) ? text : text.normalize("NFD").replace(/\p{M}/gu, "");
  const folded = plain.toLowerCase().trim();
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, folded);
  return folded;
}
