import type { RawRequestDefaultExpression } from "fastify";
import { normalizeContentType } from "./body.ts";
import { API_ROOT } from "./router.ts";

const DOUBLED = `${API_ROOT}//`;

/** Makes good what clients do and the router does not know. Returns the address to route by. */
export function normalizeRequest(raw: RawRequestDefaultExpression): string {
  const url = raw.url as string;
  if (url.startsWith("/api/")) normalizeContentType(raw);
  // COMPAT: zulip-terminal writes some paths with a doubled slash.
  return url.startsWith(DOUBLED) ? API_ROOT + url.slice(API_ROOT.length).replace(/^\/+/, "/") : url;
}
