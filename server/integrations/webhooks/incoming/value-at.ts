/**
 * The value at a path such as `commits.0.author.name`, or undefined. Only own members count, so no path leads
 * to what every object has.
 */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** The text at a path; empty if there is none. */
export function textAt(value: unknown, path: string): string {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : "";
}
