import { availableParallelism } from "node:os";
import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../api/limits.ts";
import { WorkQueue } from "../std/work-queue.ts";
import { checkStrength } from "./password-strength.ts";

const MIN_DIFFERENT_CHARACTERS = 4;

/**
 * Hashing takes a thread of libuv's pool, which has four. Files, DNS and compression need the others. It
 * leaves a processor to the main thread, so that sign-ins hold up nobody's messages. The last one to be
 * admitted waits for two to four seconds.
 */
export const passwordQueue = new WorkQueue(availableParallelism() > 2 ? 2 : 1, 64);
export const RETRY_AFTER_SECONDS = 2;

/** Loaded when the first password is checked, since most requests carry an API key instead. */
const argon2 = () => import("@node-rs/argon2");

/**
 * Returns a new password unchanged. Throws passwordLength if it is too short or too long, and weakPassword if
 * it has fewer than four different characters.
 */
export function parsePassword(text: string): string {
  // Counted in UTF-16 units, since the limit bounds the work of hashing.
  if (text.length < MIN_PASSWORD_LENGTH || text.length > MAX_PASSWORD_LENGTH) {
    throw new ApiError(errors.passwordLength, { min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH });
  }
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) throw new ApiError(errors.weakPassword);
  return text;
}

/**
 * The hash of a password that somebody has chosen. `words` are what others know of the person. Throws what
 * `parsePassword` and `checkStrength` throw, and `rateLimitHit` if too many passwords wait.
 */
export async function hashNewPassword(text: string, words: readonly string[]): Promise<string> {
  const password = parsePassword(text);
  await checkStrength(password, words);
  return hashPassword(password);
}

/** argon2id; about 50 ms, off the main thread. Throws `rateLimitHit` if too many passwords wait. */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hashNow(password));
}

/**
 * Whether the password is right. The check takes as long for a user without a password, so that the time
 * reveals nothing. A password over the limit is wrong without any hashing, so that a huge one costs nothing.
 * Throws `rateLimitHit` if too many passwords wait.
 */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH) return false;
  const matches = await queued(async () => {
    const { verify } = await argon2();
    return verify(passwordHash ?? (await hashOfNobody()), password);
  });
  return matches && passwordHash !== null;
}

async function queued<T>(work: () => Promise<T>): Promise<T> {
  const result = passwordQueue.run(work);
  if (!result) throw new ApiError(errors.rateLimitHit, { retryAfter: RETRY_AFTER_SECONDS });
  return result;
}

async function hashNow(password: string): Promise<string> {
  const { hash } = await argon2();
  return hash(password);
}

let dummyHash: Promise<string> | undefined;

function hashOfNobody(): Promise<string> {
  dummyHash ??= hashNow("a password that nobody has");
  return dummyHash;
}
