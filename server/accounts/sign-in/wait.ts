/** The data of an error for too many wrong passwords or codes, which end to count in so many seconds. */
export function waitOf(seconds: number): { retryAfter: number; wait: string } {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  const minutes = Math.ceil(retryAfter / 60);
  return { retryAfter, wait: minutes === 1 ? "a minute" : `${minutes} minutes` };
}
