/** The text as a part of a regular expression, with the flag `u` too, which takes no other escapes. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
