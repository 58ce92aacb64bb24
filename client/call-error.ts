import type { ApiFailure } from "./contract.ts";

/**
 * Why a call failed. `network`: no response came. `http`: a proxy or the server responded, but not in the
 * API's error shape. `api`: the server returned an error of the contract. `malformed`: a success that does
 * not match the API.
 */
export type Failure =
  | { kind: "network"; timedOut: boolean }
  | { kind: "http"; status: number }
  | ApiFailure
  | { kind: "malformed"; status: number };

interface Details {
  /** What caused it, for developers. */
  cause?: unknown;
  retryAfterMs?: number | undefined;
  isOutcomeUnknown?: boolean;
}

export class CallError extends Error {
  /** The endpoint's name. */
  readonly endpoint: string;
  readonly failure: Failure;
  /** How long the server asks to wait, if it says so. */
  readonly retryAfterMs: number | undefined;
  /** Whether a call that changes something may have been carried out all the same. */
  readonly isOutcomeUnknown: boolean;

  constructor(endpoint: string, failure: Failure, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = "CallError";
    this.endpoint = endpoint;
    this.failure = failure;
    this.retryAfterMs = details.retryAfterMs;
    this.isOutcomeUnknown = details.isOutcomeUnknown ?? false;
  }

  /** Whether the server returned this error: compares code and status, which alone identify errors. */
  is(declared: { readonly code: string | undefined; readonly status: number }): boolean {
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
}
