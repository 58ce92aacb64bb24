/** A count of what waits. Beyond it, the number says nothing more. */
const MOST = 999;

/** As every count of unread messages is written. */
export function shortCount(count: number): string {
  return count > MOST ? `${MOST}+` : String(count);
}
