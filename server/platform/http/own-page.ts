import type { IncomingHttpHeaders } from "node:http";
import { ApiError, errors } from "../../../api/errors.ts";

/**
 * Whether a page of the organization itself sent the request. Browsers add these headers, and no page can
 * forge them. A request without either may come from anywhere.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, origin: string): boolean {
  return headers["sec-fetch-site"] === "same-origin" || (origin !== "" && headers.origin === origin);
}

/**
 * A browser adds the session's cookie to requests that other sites cause. So a call that changes something
 * needs more: it comes from an own page, and has a header that a form or a link can't have. Throws
 * `foreignOrigin` or `clientNotNamed`.
 */
export function checkOwnPage(headers: IncomingHttpHeaders, origin: string): void {
  if (!isFromOwnPage(headers, origin)) throw new ApiError(errors.foreignOrigin);
  if (!headers["x-parley-client"]) throw new ApiError(errors.clientNotNamed);
}
