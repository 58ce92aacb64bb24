import { ApiError, errors } from "../../api/errors.ts";
import { MAX_ORGANIZATION_NAME_LENGTH } from "../../api/limits.ts";

const HOST = /^([a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const IPV6 = /^\[[0-9a-f:.]+\]$/;
const MAX_HOST_LENGTH = 253;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Returns the organization's name as it is stored: trimmed, one line, not empty. Throws
 * `invalidOrganizationName`.
 */
export function parseOrganizationName(text: string): string {
  const name = text.trim();
  const { length } = [...name];
  if (length === 0 || length > MAX_ORGANIZATION_NAME_LENGTH || UNPRINTABLE.test(name)) {
    throw new ApiError(errors.invalidOrganizationName, { limit: MAX_ORGANIZATION_NAME_LENGTH });
  }
  return name;
}

/**
 * Returns the host name in the form that requests are looked up by: in lower case, without a port. Throws
 * `invalidHost`.
 */
export function parseHost(text: string): string {
  const host = text.trim().toLowerCase();
  if (host.length > MAX_HOST_LENGTH || !(HOST.test(host) || IPV6.test(host))) {
    throw new ApiError(errors.invalidHost, { host });
  }
  return host;
}
