/** Which addresses a message may link to, and how they are written out. */
import type { Lookups } from "./lookups.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*(?=:)/i;
const ALLOWED = new Set(["http", "https", "ftp", "mailto", "file", "bitcoin", "sms", "tel"]);
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
const CONTROLS = /[\x00-\x1f]/g;
const WITHOUT_HOST = new Set(["mailto", "file", "bitcoin", "sms", "tel"]);

/**
 * The address to put into `href`, or null when it must not become a link. Only the schemes above are
 * allowed. An address without a scheme is an email address, a path or fragment of this server, or a web
 * address without its `http://`.
 */
export function safeUrl(typed: string): string | null {
  // Browsers ignore these characters inside an address, so a scheme must not be able to hide behind them.
  const bare = typed.replace(CONTROLS, "").trim();
  const scheme = SCHEME.exec(bare)?.[0].toLowerCase() ?? "";
  // Links to nowhere may be nested: each is refused here before the rest of its address is written.
  if (scheme !== "" && !ALLOWED.has(scheme)) return null;
  const url = bare.replace(/ /g, "%20");
  if (scheme !== "") {
    const rest = url.slice(scheme.length + 1);
    if (hostOf(rest) === "" && !WITHOUT_HOST.has(scheme)) return null;
    if (hostOf(rest).includes("[") !== hostOf(rest).includes("]")) return null;
    return `${scheme}:${withoutEmptyEnds(rest)}`;
  }
  if (url.startsWith("//")) return safeUrl(`http:${url}`);
  const path = /^[^?#]*/.exec(url)![0];
  if (path.startsWith("/") || (url.startsWith("#") && url.length > 1)) return withoutEmptyEnds(url);
  if (path.includes("@")) return `mailto:${withoutEmptyEnds(url)}`;
  return path === "" ? null : safeUrl(`http://${url}`);
}

function hostOf(rest: string): string {
  return rest.startsWith("//") ? /^[^/?#]*/.exec(rest.slice(2))![0] : "";
}

/** A trailing "?" or "#" has no meaning, so it is dropped. */
function withoutEmptyEnds(url: string): string {
  return url.endsWith("#") || url.endsWith("?") ? url.replace(/\??#?$/, "") : url.replace("?#", "#");
}

/**
 * A relative address must not be readable as another host or as a scheme, even one spelled with character
 * references.
 */
const MISLEADING = /^(?:[/\\]|[^/?#]*[&:])/;

/** A link to a page of this organization loses its host, so that it opens in place. */
export function relativeToOrganization(url: string, { baseUrl }: Lookups): string {
  const prefix = `${baseUrl}/`;
  if (baseUrl === "" || !url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  const isPlain = rest !== "" && !MISLEADING.test(rest) && !/(^|\/)\.\.?(\/|$)/.test(rest);
  return isPlain ? rest : url;
}

const UPLOAD = /^\/?user_uploads\/(?!thumbnail\/|temporary\/|download\/)(\d+\/[^?#]+)/;

/**
 * The path of an uploaded file, if a link leads to one; never a path that leaves the folder by dot
 * segments.
 */
export function uploadPathOf(href: string): string | undefined {
  const path = UPLOAD.exec(href)?.[1];
  return path === undefined || /(^|\/)\.{1,2}(\/|$)/.test(path) ? undefined : path;
}
