import type { IncomingHttpHeaders } from "node:http";

/** Whether a client takes gzip. A quality of 0 says that it does not. */
export function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(headers["accept-encoding"] ?? ""));
}
