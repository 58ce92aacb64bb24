import { FaultError } from "../faults/fault-error.ts";

/** The server can't start. The message says why and what to do, for the person who started it. */
export class StartError extends FaultError {
  override name = "StartError";
}

export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
