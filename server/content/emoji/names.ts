import { ApiError, errors } from "../../../api/errors.ts";

const CHARACTERS = /^[0-9a-z_-]+$/;

/** The name of an emoji from what a client wrote. Throws if it can't be one. */
export function parseEmojiName(given: string): string {
  const name = given.trim().replaceAll(" ", "_");
  if (name === "") throw new ApiError(errors.emojiNameMissing);
  if (!CHARACTERS.test(name)) throw new ApiError(errors.emojiNameCharacters);
  if (/[_-]$/.test(name)) throw new ApiError(errors.emojiNameEnd);
  return name;
}
