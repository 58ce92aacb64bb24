import type { ErrorDeclaration } from "../api/error-declaration.ts";

/**
 * Why a call failed. `network`: no response came. `http`: a proxy or the server responded, but not in the
 * API's error shape. `api`: the server returned an error of the contract. `malformed`: a success that does
 * not match the API.
 */
export type Failure =
  | { kind: "network"; timedOut: boolean }
  | { kind: "http"; status: number }
  | { kind: "api"; status: number; code: string | undefined; fields: Record<string, unknown> }
  | { kind: "malformed"; status: number };

export class CallError extends Error {
  readonly endpoint: string;
  readonly failure: Failure;

  constructor(endpoint: string, failure: Failure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "CallError";
    this.endpoint = endpoint;
    this.failure = failure;
  }

  /** Whether the server returned this error: compares code and status, which alone identify errors. */
  is(declared: ErrorDeclaration): boolean {
    const { failure } = this;
    return failure.kind === "api" && failure.code === declared.code && failure.status === declared.status;
  }

  /** Whether repeating the call may succeed without any other change. */
  get isPassing(): boolean {
    const { failure } = this;
    return (
      failure.kind === "network" ||
      failure.kind === "malformed" ||
      failure.status >= 500 ||
      failure.status === 429
    );
  }

  /** How long the server asks to wait, if it says so. */
  get retryAfterMs(): number | undefined {
    const seconds = this.failure.kind === "api" ? this.failure.fields["retry-after"] : undefined;
    return typeof seconds === "number" && seconds >= 0 ? seconds * 1000 : undefined;
  }
}
