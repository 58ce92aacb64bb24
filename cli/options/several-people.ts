/** How many accounts one command takes. */
export const MAX_ACCOUNTS = 1000;

/** The addresses without repetitions, in their order. Addresses that differ in case alone are one. */
export function uniqueAddresses(emails: readonly string[]): string[] {
  return [...new Map(emails.map((email) => [email.toLowerCase(), email])).values()];
}
