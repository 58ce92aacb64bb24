/**
 * Characters whose small forms JavaScript chooses otherwise: by the sigma's place in the word, and as two
 * characters for the İ.
 */
const SMALL = new Map([
  ["Σ", "σ"],
  ["İ", "i"],
]);

/**
 * Equal for names of one channel, group or topic: they are told apart by their names in small letters, each
 * character made small by itself. The server's database has the last word: where it is not the embedded one,
 * its locale may take a few more names for one or for two, and any may know a newer or older Unicode than
 * the caller.
 */
export function foldName(name: string): string {
  return name.replace(/[Σİ]/g, (character) => SMALL.get(character) as string).toLowerCase();
}
