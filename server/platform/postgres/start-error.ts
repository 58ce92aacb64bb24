/** A reason why the server cannot start, in one sentence meant for the person who started it. */
export class StartError extends Error {
  override name = "StartError";
}

export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
