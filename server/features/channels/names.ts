import { ApiError, errors } from "../../../api/errors.ts";
import { MAX_CHANNEL_NAME_LENGTH } from "../../../api/limits.ts";

const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** A channel's name as it is stored; whether it is free is for the caller to see. */
export function parseChannelName(text: string): string {
  const name = text.trim();
  if (name === "") throw new ApiError(errors.emptyChannelName);
  if ([...name].length > MAX_CHANNEL_NAME_LENGTH) {
    throw new ApiError(errors.channelNameTooLong, { limit: MAX_CHANNEL_NAME_LENGTH });
  }
  const position = unprintableAt(name);
  if (position !== undefined) throw new ApiError(errors.channelNameCharacter, { position });
  return name;
}

/** Where a text has its first character that can't be shown, counted from 1. */
export function unprintableAt(text: string): number | undefined {
  const index = [...text].findIndex((character) => UNPRINTABLE.test(character));
  return index < 0 ? undefined : index + 1;
}

/** A description is one line: line breaks become spaces. */
export function parseDescription(text: string, limit: number): string {
  const description = text.trim().replace(/\s*[\r\n]+\s*/g, " ");
  if ([...description].length > limit) throw new ApiError(errors.tooLong, { name: "description", limit });
  return description;
}
