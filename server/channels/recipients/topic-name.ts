import { isEmptyTopicName, topicRoom } from "../../../api/channels/topic-name.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { unprintableAt } from "../../../api/fields.ts";
import { findHidden, normalizeName, withoutHidden } from "../../../api/hidden-characters.ts";
import { MAX_TOPIC_LENGTH } from "../../../api/limits.ts";
import { truncate } from "../../platform/std/truncate.ts";

const TRUNCATED_TOPIC = "...";

/** A topic's name as it is stored, whatever the channel allows. One that is too long is cut. */
export function parseTopicName(text: string): string {
  const name = parseAnyTopicName(text);
  return truncate(name, topicRoom(name, MAX_TOPIC_LENGTH), TRUNCATED_TOPIC);
}

/** Like `parseTopicName`, with an error for a name that is too long. */
export function parseWholeTopicName(text: string): string {
  const name = parseAnyTopicName(text);
  if ([...name].length > topicRoom(name, MAX_TOPIC_LENGTH)) {
    throw new ApiError(errors.tooLong, { name: "topic", limit: MAX_TOPIC_LENGTH });
  }
  return name;
}

/**
 * Characters that can't be seen are left out and not refused. Nobody knows that they are in what was copied
 * or typed, and clients go on sending the name of a topic that was made with them. Nothing else is folded:
 * clients show topics apart whose names differ by a blank or by a form of a letter, such as "m2" and "m²".
 */
function parseAnyTopicName(text: string): string {
  if (isEmptyTopicName(text)) return "";
  const name = withoutHidden(normalizeName(text)).trim();
  const position = unprintableAt(name, findHidden);
  if (position !== undefined) throw new ApiError(errors.topicCharacter, { position });
  return name.normalize("NFC");
}
