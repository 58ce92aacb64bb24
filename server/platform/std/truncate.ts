/** A text of at most so many code points. A longer one is cut, and ends in `ending`. */
export function truncate(text: string, limit: number, ending: string): string {
  // A string has at least as many UTF-16 units as code points, so short strings need no counting.
  if (text.length <= limit) return text;
  const characters = [...text];
  if (characters.length <= limit) return text;
  return characters.slice(0, limit - ending.length).join("") + ending;
}
