import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_FULL_NAME_LENGTH, MIN_FULL_NAME_LENGTH } from "../../../api/limits.ts";

const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@"'<>,;:()[\]\\]+@[^\s@"'<>,;:()[\]\\]+$/;
const BAD_NAME_CHARACTERS = /[*`\\>"@\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** An email address as it is stored: stripped, the letters as they were given. */
export function parseEmail(text: string): string {
  const email = text.trim();
  if (!isEmail(email)) throw new ApiError(errors.invalidEmail);
  return email;
}

export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

/** A full name: of a bounded length, and none that would break a mention of it. */
export function parseFullName(text: string): string {
  const name = text.trim();
  const { length } = [...name];
  if (length < MIN_FULL_NAME_LENGTH || length > MAX_FULL_NAME_LENGTH)
    throw new ApiError(errors.fullNameLength);
  // A mention ends a name with `|` and an id.
  if (BAD_NAME_CHARACTERS.test(name) || /\|\d+$/.test(name)) throw new ApiError(errors.invalidFullName);
  return name;
}
