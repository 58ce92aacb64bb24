import { setTimeout as sleep } from "node:timers/promises";
import { OutboundError, type OutboundHttp } from "../outbound-http/outbound-http.ts";

const TIMEOUT_MS = 8_000;
/** Documents, keys, tokens and profiles of the known providers have some kilobytes. */
const MAX_RESPONSE_BYTES = 512 * 1024;
const BUSY_RETRY_MS = 50;

/** What the protocol's library asks of `fetch`. */
export interface FetchRequest {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

export type GuardedFetch = (url: string, request: FetchRequest) => Promise<Response>;

/**
 * `fetch` by the guarded way out: no closed addresses, no redirects, limits on time and size, and secrets
 * only over https outside of what the operator allows. Many people may sign in at once, so a call waits its
 * turn.
 */
export function guardedFetch(
  outbound: OutboundHttp,
  organizationId: number,
  timeoutMs = TIMEOUT_MS,
): GuardedFetch {
  return async (url, { method, headers, body, signal }) => {
    if (method !== "GET" && method !== "POST") throw new TypeError(`no calls with the method ${method}`);
    const deadline = Date.now() + timeoutMs;
    while (!outbound.hasRoom(organizationId)) {
      if (Date.now() > deadline) throw new OutboundError("busy");
      await sleep(BUSY_RETRY_MS);
    }
    const answer = await outbound.request(organizationId, url, {
      method,
      headers: { "user-agent": "Parley", ...headers },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeoutMs: Math.max(1, deadline - Date.now()),
      maxResponseBytes: MAX_RESPONSE_BYTES,
      mustEncrypt: true,
      ...(signal && { signal }),
    });
    const given = Object.entries(answer.headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as [string, string]] : [],
    );
    const hasBody = answer.status >= 200 && ![204, 205, 304].includes(answer.status);
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: hasBody ? answer.status : 502,
      headers: given,
    });
  };
}
