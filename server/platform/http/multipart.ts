/**
 * Reads the text fields of a `multipart/form-data` body. The whole body is in memory: most are tiny, so no
 * stream is needed. Parts with a file name are ignored, since uploads are read elsewhere.
 */
import { addField, type Fields, MAX_FIELDS, noFields } from "./form.ts";

const CRLF = Buffer.from("\r\n");
const BLANK_LINE = Buffer.from("\r\n\r\n");
const MAX_PART_HEADER = 8 * 1024;
/** The longest line that names a field. Names of parameters are short. */
const MAX_DISPOSITION = 1024;
/**
 * One parameter of a disposition, up to the next. The expression is sticky: where it does not match, the part
 * is refused, and no later start is tried. So the time for a line is in proportion to its length.
 */
const PARAMETER = /[\t ]*([^\s;="]+)[\t ]*=[\t ]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[\t ]*(?:;|$)/y;

/** Returns undefined if the body is truncated, has no boundary, or does not match its Content-Type. */
export function parseMultipart(body: Buffer, contentType: string): Fields | undefined {
  const boundary = boundaryOf(contentType);
  if (!boundary) return undefined;
  const fields = noFields();
  if (body.length === 0) return fields;
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let at = startOfFirst(body, boundary);
  for (let count = 0; at !== -1; count++) {
    if (body[at] === DASH && body[at + 1] === DASH) return fields;
    const start = body.indexOf(CRLF, at);
    const end = start === -1 ? -1 : body.indexOf(delimiter, start);
    if (end === -1 || count === MAX_FIELDS || !isBlank(body, at, start)) return undefined;
    if (!takePart(body, start + CRLF.length, end, fields)) return undefined;
    at = end + delimiter.length;
  }
  return undefined;
}

const DASH = 0x2d;

/** The index after the first boundary, at the start of the body or of a line after a preamble; else -1. */
function startOfFirst(body: Buffer, boundary: string): number {
  const first = Buffer.from(`--${boundary}`);
  if (body.subarray(0, first.length).equals(first)) return first.length;
  const later = body.indexOf(`\r\n--${boundary}`);
  return later === -1 ? -1 : later + CRLF.length + first.length;
}

/** Spaces and tabs may follow a boundary. */
function isBlank(body: Buffer, from: number, to: number): boolean {
  return body.toString("latin1", from, to).trim() === "";
}

function takePart(body: Buffer, start: number, end: number, fields: Fields): boolean {
  // In a part without a value, the blank line may include the line break of the next delimiter.
  const headersEnd = body.indexOf(BLANK_LINE, start);
  if (headersEnd === -1 || headersEnd > end || headersEnd - start > MAX_PART_HEADER) return false;
  const disposition = dispositionOf(body.toString("utf8", start, headersEnd));
  if (!disposition) return false;
  if (disposition.isFile) return true;
  const value = body.toString("utf8", Math.min(headersEnd + BLANK_LINE.length, end), end);
  addField(fields, disposition.name, value);
  return true;
}

function dispositionOf(headers: string): { name: string; isFile: boolean } | undefined {
  const line = /^content-disposition:[ \t]*form-data[ \t]*;(.*)$/im.exec(headers)?.[1]?.trim();
  if (line === undefined || line.length > MAX_DISPOSITION) return undefined;
  let name: string | undefined;
  let isFile = false;
  PARAMETER.lastIndex = 0;
  while (PARAMETER.lastIndex < line.length) {
    const match = PARAMETER.exec(line);
    if (!match) return undefined;
    const [, attribute = "", quoted, token = ""] = match;
    if (attribute.toLowerCase() === "name") name = quoted === undefined ? token : unquote(quoted);
    else if (/^filename\*?$/i.test(attribute)) isFile = true;
  }
  return name === undefined ? undefined : { name, isFile };
}

/** Browsers write a quote in a name as `%22`, older programs as `\"`. */
function unquote(quoted: string): string {
  return quoted
    .replace(/\\(["\\])/g, "$1")
    .replace(/%22/g, '"')
    .replace(/%0D/gi, "\r")
    .replace(/%0A/gi, "\n");
}

/** undefined: there is none. */
export function boundaryOf(contentType: string): string | undefined {
  const match = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}
