import { availableParallelism } from "node:os";
import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../../api/limits.ts";
import { FairQueue, NoPlace, type Turn } from "../std/fair-queue.ts";
import { checkStrength } from "./password-strength.ts";

const MIN_DIFFERENT_CHARACTERS = 4;

/**
 * Hashing takes a thread of libuv's pool, which has four. Files, DNS and compression need the others. It
 * leaves a processor to the main thread, so that sign-ins hold up nobody's messages. The last one to be
 * admitted waits for two to four seconds.
 *
 * Who is known comes first, and what is refused in any case last. `refused` is hashed only so that the time
 * of the refusal tells nothing, and must hold up nobody else.
 */
export const passwordQueue = new FairQueue(availableParallelism() > 2 ? 2 : 1, {
  known: { maxWaiting: 64 },
  open: { maxWaiting: 64 },
  refused: { maxWaiting: 8, maxRunning: 1 },
});
const RETRY_AFTER_SECONDS = 2;

/** In which lane a password waits for its hash, and in whose name: an account's, or a network's. */
export interface PasswordTurn {
  lane: "known" | "open" | "refused";
  key: string;
}

/** For a program of the operator, which waits for nobody. */
export const operatorTurn: PasswordTurn = { lane: "known", key: "operator" };

/** For people who have shown who they are: an account of an organization. */
export function turnOfAccount(organizationId: number, userId: number): PasswordTurn {
  return { lane: "known", key: `user ${userId} of ${organizationId}` };
}

/** Too many passwords wait. Nobody knows whether this one is right. */
export class TooManyPasswords extends ApiError<{ retryAfter: number }> {
  constructor() {
    super(errors.tooManyPasswords, { retryAfter: RETRY_AFTER_SECONDS });
  }
}

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
 * `parsePassword` and `checkStrength` throw, and `TooManyPasswords`.
 */
export async function hashNewPassword(
  text: string,
  words: readonly string[],
  turn: PasswordTurn,
): Promise<string> {
  const password = parsePassword(text);
  await checkStrength(password, words);
  return hashPassword(password, turn);
}

/** argon2id; about 50 ms, off the main thread. Throws `TooManyPasswords`. */
export function hashPassword(password: string, { lane, key } = operatorTurn): Promise<string> {
  return orTooMany(passwordQueue.enter(lane, key, () => hashNow(password)).result);
}

/** A password to be checked, and where it waits. */
export interface PasswordCheck extends PasswordTurn {
  /**
   * Where it is looked at meanwhile, if it has to wait. Asked only then, and undefined if it may not be.
   */
  ahead?: () => Promise<PasswordTurn | undefined>;
}

/**
 * Whether the password is right. The check takes as long for a user without a password, so that the time
 * reveals nothing. A password over the limit is wrong without any hashing, so that a huge one costs nothing.
 *
 * With `ahead`, the right password is found out sooner. A wrong one waits for its own turn all the same, and
 * is checked then as any other. So only who has the right password learns that there was a shorter way.
 *
 * Throws `TooManyPasswords`.
 */
export async function isPassword(
  passwordHash: string | null,
  password: string,
  { lane, key, ahead }: PasswordCheck = operatorTurn,
): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH) return false;
  const check = async () => {
    const { verify } = await argon2();
    return (await verify(passwordHash ?? (await hashOfNobody()), password)) && passwordHash !== null;
  };
  const turn = passwordQueue.enter(lane, key, check);
  if (turn.hasBegun || !ahead) return orTooMany(turn.result);
  return orTooMany(soonest(turn, ahead, check));
}

/** `turn` may have had no place. */
async function soonest(
  turn: Turn<boolean>,
  ahead: NonNullable<PasswordCheck["ahead"]>,
  check: () => Promise<boolean>,
): Promise<boolean> {
  // It is looked at below, but may be refused before.
  turn.result.catch(() => {});
  const sooner = await ahead();
  if (!sooner) return turn.result;
  const early = passwordQueue.enter(sooner.lane, sooner.key, check);
  const rightOrTurn = early.result.then(
    (isRight) => isRight || turn.result,
    () => turn.result,
  );
  try {
    return await Promise.race([rightOrTurn, turn.result.catch(() => rightOrTurn)]);
  } finally {
    turn.leave();
    early.leave();
  }
}

async function orTooMany<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw error instanceof NoPlace ? new TooManyPasswords() : error;
  }
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
