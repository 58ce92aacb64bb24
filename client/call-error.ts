import type { ErrorDeclaration } from "../api/error-declaration.ts";

/**
 * Why a call failed; there is no fifth way.
 * `network`: no answer came. `http`: something in between answered, or the server did, without the API's
 * error shape. `api`: the server answered with an error of the contract. `malformed`: a success that is not
 * the API's.
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

  /**
   * Whether the server answered with this error: by code and status, the only things that tell errors apart.
   */
  is(declared: ErrorDeclaration): boolean {
    const { failure } = this;
    return failure.kind === "api" && failure.code === declared.code && failure.status === declared.status;
  }

  /** Whether the same call may succeed later without anyone changing anything. */
  get isPassing(): boolean {
    const { failure } = this;
    return (
      failure.kind === "network" ||
      failure.kind === "malformed" ||
      failure.status >= 500 ||
      failure.status === 429
    );
  }

  /** How long the server asks to wait, where it says so. */
  get retryAfterMs(): number | undefined {
    const seconds = this.failure.kind === "api" ? this.failure.fields["retry-after"] : undefined;
    return typeof seconds === "number" && seconds >= 0 ? seconds * 1000 : undefined;
  }
}
