const MAX_LENGTH = 2000;

/**
 * The page to go to after signing in: a path of this host, or `/`. Browsers read `//host` and `/\host` as
 * other hosts, and drop line breaks and tabs before they read.
 */
export function nextPage(text: unknown): string {
  if (typeof text !== "string" || text.length > MAX_LENGTH) return "/";
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes("\\") ? text : "/";
}
