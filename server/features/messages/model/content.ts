import { ApiError, errors } from "../../../../api/errors.ts";
import { unprintableAt } from "../../../../api/fields.ts";
import { isVisible, normalizeName, withoutHidden } from "../../../../api/hidden-characters.ts";
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from "../../../../api/limits.ts";
import { isEmptyTopicName, isResolvedEmptyTopic, topicRoom } from "../../../../api/topic-name.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import type { Channel } from "../../channels/channel.ts";
import { topicsPolicyOf } from "../../channels/topics-policy.ts";

const TRUNCATED_MESSAGE = "\n[message truncated]";
const TRUNCATED_TOPIC = "...";

/** The text to store for a message. Text that is too long is cut without an error. */
export function parseContent(text: string): string {
  const content = text.replace(/^\n+/, "").trimEnd();
  if (!isVisible(content)) throw new ApiError(errors.emptyMessage);
  return truncate(content, MAX_MESSAGE_LENGTH, TRUNCATED_MESSAGE);
}

/**
 * The topic of a message to this channel; empty if the sender asked for that and it is allowed (spec E1
 * `topic`). A name that is too long is cut without an error, except in a move.
 */
export function parseTopic(
  state: OrganizationState,
  channel: Channel,
  text: string,
  { isMove = false } = {},
): string {
  if (isResolvedEmptyTopic(text)) throw new ApiError(errors.emptyTopicResolved);
  const isEmpty = isEmptyTopicName(text);
  const policy = topicsPolicyOf(state, channel);
  if (isEmpty && policy === "disable_empty_topic") throw new ApiError(errors.topicRequired);
  if (!isEmpty && policy === "empty_topic_only") throw new ApiError(errors.topicNotAllowed);
  return isMove ? parseWholeTopicName(text) : parseTopicName(text);
}

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
 * or typed, and clients go on sending the name of a topic that was made with them.
 */
function parseAnyTopicName(text: string): string {
  if (isEmptyTopicName(text)) return "";
  const name = withoutHidden(normalizeName(text)).trim();
  const position = unprintableAt(name);
  if (position !== undefined) throw new ApiError(errors.topicCharacter, { position });
  return name.normalize("NFC");
}

function truncate(text: string, limit: number, ending: string): string {
  // A string has at least as many UTF-16 units as code points, so short strings need no counting.
  if (text.length <= limit) return text;
  const characters = [...text];
  if (characters.length <= limit) return text;
  return characters.slice(0, limit - ending.length).join("") + ending;
}
