import { ApiError, errors } from "../../api/errors.ts";
import { findHiddenInName, normalizeName } from "../../api/hidden-characters.ts";
import { MAX_FULL_NAME_LENGTH, MIN_FULL_NAME_LENGTH } from "../../api/limits.ts";

const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@"'<>,;:()[\]\\]+@[^\s@"'<>,;:()[\]\\]+$/;
const BAD_NAME_CHARACTERS = /[*`\\>"@\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Returns the email address as it is stored: trimmed, in the given case. Throws `invalidEmail`. */
export function parseEmail(text: string): string {
  const email = text.trim();
  if (!isEmail(email)) throw new ApiError(errors.invalidEmail);
  return email;
}

export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

/**
 * Whether two addresses are the same but for the case of ASCII letters. Memory finds accounts in lower case,
 * which makes an ASCII letter of some others, such as the Kelvin sign. Such an address is another mailbox. So
 * what somebody else has confirmed of an address says nothing about the account that memory finds.
 */
export function isSameMailbox(one: string, other: string): boolean {
  const folded = (text: string) => text.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return folded(one) === folded(other);
}

/**
 * Returns the name as it is stored. Throws `fullNameLength`, or `invalidFullName` for a name that would break
 * its mention or that has characters that can't be seen.
 */
export function parseFullName(text: string): string {
  const name = normalizeName(text);
  const { length } = [...name];
  if (length < MIN_FULL_NAME_LENGTH || length > MAX_FULL_NAME_LENGTH)
    throw new ApiError(errors.fullNameLength);
  // In a mention, `|` and an id may follow the name.
  if (BAD_NAME_CHARACTERS.test(name) || findHiddenInName(name) >= 0 || /\|\d+$/.test(name))
    throw new ApiError(errors.invalidFullName);
  return name;
}
