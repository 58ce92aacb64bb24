/**
 * Whether the key belongs to an input method, which makes words of several keys. Safari has ended the
 * composition when it reports the Enter that accepts a word, and marks that key by its code alone.
 */
export function isComposing(event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return event.isComposing || event.keyCode === 229;
}
