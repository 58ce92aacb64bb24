/** The content of a submessage. The server has checked the form; imported messages may have others. */
export function readContent<T>(content: string): T | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
