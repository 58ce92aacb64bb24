import type { IncomingMessage } from "node:http";
import { ApiError, errors } from "../../../api/errors.ts";

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/**
 * The path and query of a request. Its target may also be a whole URL. If its host is not the one in the
 * header, a proxy may have looked at the other one. Such a URL stays as it is, and `checkTarget` refuses it.
 */
export function pathOf({ url = "/", headers }: IncomingMessage): string {
  if (url.startsWith("/")) return url;
  const [start, authority] = ABSOLUTE.exec(url) ?? [];
  if (start === undefined || authority?.toLowerCase() !== headers.host?.toLowerCase()) return url;
  const rest = url.slice(start.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Throws if the request names two hosts: in two Host headers, which Node joins, or in its target. */
export function checkTarget({ url = "/", headers }: IncomingMessage): void {
  const isElsewhere = !url.startsWith("/") && url !== "*";
  if (isElsewhere || headers.host?.includes(",")) throw new ApiError(errors.invalidHttp);
}
