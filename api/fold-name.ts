/**
 * Characters whose small forms JavaScript chooses otherwise: by the sigma's place in the word, and as two
 * characters for the İ.
 */
const SMALL = new Map([
  ["Σ", "σ"],
  ["İ", "i"],
]);

/**
 * Equal for names of the same channel, group or topic. Names are compared in lower case, each character
 * converted by itself. The server's database decides in the end. A database other than the embedded one may
 * compare a few names differently, by its locale. Any database may know a newer or older Unicode than the
 * caller.
 */
export function foldName(name: string): string {
  return name.replace(/[Σİ]/g, (character) => SMALL.get(character) as string).toLowerCase();
}
