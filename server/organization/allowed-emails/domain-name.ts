import { domainToASCII } from "node:url";
import { ApiError, errors } from "../../../api/errors.ts";

const MAX_DOMAIN_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
/** The only ASCII characters are these. `domainToASCII` would take some others as parts of a URL. */
const CHARACTERS = /^[a-z0-9.\-\u{80}-\u{10ffff}]+$/u;

/**
 * The domain as it is stored and compared: in lower case and in Punycode, without a dot at the end. Undefined
 * for a text that is no domain of the internet.
 */
export function readDomain(text: string): string | undefined {
  const typed = text.trim().toLowerCase().replace(/\.$/, "");
  return faultOf(typed) === undefined ? toAscii(typed) : undefined;
}

/** As `readDomain`, but throws `invalidDomain` with the reason. */
export function parseDomain(text: string): string {
  const typed = text.trim().toLowerCase().replace(/\.$/, "");
  const reason = faultOf(typed);
  if (reason !== undefined) throw new ApiError(errors.invalidDomain, { reason });
  return toAscii(typed);
}

function faultOf(typed: string): string | undefined {
  if (typed === "") return "Domain can't be empty.";
  if (!CHARACTERS.test(typed)) return "Domain can only have letters, numbers, '.' and '-'s.";
  const ascii = toAscii(typed);
  if (ascii === "") return "Domain has characters that no domain can have.";
  const labels = ascii.split(".");
  if (labels.length < 2) return "Domain must have at least one dot (.)";
  if (labels.some((label) => label === "")) return "Every part between two dots must have a character.";
  if (ascii.length > MAX_DOMAIN_LENGTH) return "Domain is too long";
  if (labels.some((label) => label.length > MAX_LABEL_LENGTH)) return "A part of the domain is too long";
  if (labels.some((label) => label.startsWith("-") || label.endsWith("-"))) {
    return "Subdomains cannot start or end with a '-'.";
  }
  // What ends in a number is read as an IP address.
  if (/^\d+$/.test(labels.at(-1) as string)) return "An IP address is no domain.";
  return undefined;
}

/** Names in ASCII stay as they are: Node would read what looks like a number as an IP address. */
function toAscii(typed: string): string {
  return /^[a-z0-9.-]+$/.test(typed) && !typed.includes("xn--") ? typed : domainToASCII(typed);
}
