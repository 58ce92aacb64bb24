import { ApiError, errors } from "../../../api/errors.ts";

/**
 * Returns a text that a person keeps for themselves, without the spaces around it. Throws `blank`, or
 * `tooLong` for more code points than `limit`.
 */
export function parseOwnText(name: string, text: string, limit: number): string {
  const trimmed = text.trim();
  if (trimmed === "") throw new ApiError(errors.blank, { name });
  // A string has at least as many UTF-16 units as code points, so short strings need no counting.
  if (trimmed.length > limit && [...trimmed].length > limit)
    throw new ApiError(errors.tooLong, { name, limit });
  return trimmed;
}
