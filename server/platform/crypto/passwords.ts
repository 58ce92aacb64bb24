import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../api/limits.ts";

const MIN_DIFFERENT_CHARACTERS = 4;

/** Loaded when a password is first looked at: most callers come with a key. */
const argon2 = () => import("@node-rs/argon2");

/** A new password, as it was given: refused when it is short, longer than is hashed, or one character over and over. */
export function parsePassword(text: string): string {
  // Counted in UTF-16 units: the limit is about work, not about reading.
  if (text.length < MIN_PASSWORD_LENGTH || text.length > MAX_PASSWORD_LENGTH) {
    throw new ApiError(errors.passwordLength, { min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH });
  }
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) throw new ApiError(errors.weakPassword);
  return text;
}

/** argon2id; about 50 ms, off the main thread. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return hash(password);
}

/**
 * A user without a password takes as long as one with, so that the time tells nothing. Too long a password is wrong
 * without any hashing, so that a huge one costs nothing.
 */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH) return false;
  const { verify } = await argon2();
  const matches = await verify(passwordHash ?? (await decoy()), password);
  return matches && passwordHash !== null;
}

let decoyHash: Promise<string> | undefined;

function decoy(): Promise<string> {
  decoyHash ??= hashPassword("a password that nobody has");
  return decoyHash;
}
