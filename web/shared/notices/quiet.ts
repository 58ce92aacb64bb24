/**
 * Do not disturb: until a moment, this browser shows no notices and plays no sounds. The API has nothing of
 * the kind, so mail and other devices go on, and what arrives is unread as ever.
 */
import { readStored, removeStored, writeStored } from "../state/browser-storage.ts";

const STORED = "parley.quiet-until";

/** undefined: it is not asked for, or over. */
export function quietUntil(now = Date.now()): Date | undefined {
  const at = Number(readStored(STORED) ?? 0);
  return at > now ? new Date(at) : undefined;
}

export function beQuietUntil(at: Date | undefined): void {
  if (at) writeStored(STORED, String(at.getTime()));
  else removeStored(STORED);
}
