import { ApiError, errors } from "../../api/errors.ts";
import { MAX_CHANNEL_NAME_LENGTH } from "../../api/limits.ts";

const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** A channel's name as it is stored; whether it is free is for the caller to see. */
export function parseChannelName(text: string): string {
  const name = text.trim();
  if (name === "") throw new ApiError(errors.emptyChannelName);
  const characters = [...name];
  if (characters.length > MAX_CHANNEL_NAME_LENGTH) {
    throw new ApiError(errors.channelNameTooLong, { limit: MAX_CHANNEL_NAME_LENGTH });
  }
  const position = characters.findIndex((character) => UNPRINTABLE.test(character));
  if (position >= 0) throw new ApiError(errors.channelNameCharacter, { position: position + 1 });
  return name;
}

/** A description is one line: line breaks become spaces. */
export function parseDescription(text: string, limit: number): string {
  const description = text.trim().replace(/\s*[\r\n]+\s*/g, " ");
  if ([...description].length > limit) throw new ApiError(errors.tooLong, { name: "description", limit });
  return description;
}
