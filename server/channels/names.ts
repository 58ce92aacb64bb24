import { ApiError, errors } from "../../api/errors.ts";
import { unprintableAt } from "../../api/fields.ts";
import { normalizeName } from "../../api/hidden-characters.ts";
import { MAX_CHANNEL_NAME_LENGTH } from "../../api/limits.ts";

/** A channel's name as it is stored. The caller checks whether it is in use. */
export function parseChannelName(text: string): string {
  const name = normalizeName(text);
  if (name === "") throw new ApiError(errors.emptyChannelName);
  if ([...name].length > MAX_CHANNEL_NAME_LENGTH) {
    throw new ApiError(errors.channelNameTooLong, { limit: MAX_CHANNEL_NAME_LENGTH });
  }
  const position = unprintableAt(name);
  if (position !== undefined) throw new ApiError(errors.channelNameCharacter, { position });
  return name;
}

/** A description is one line: line breaks become spaces. */
export function parseDescription(text: string, limit: number): string {
  const description = text.trim().replace(/\s*[\r\n]+\s*/g, " ");
  if ([...description].length > limit) throw new ApiError(errors.tooLong, { name: "description", limit });
  return description;
}
