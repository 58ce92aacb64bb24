import { ApiError, errors } from "../../../../api/errors.ts";
import { unprintableAt } from "../../../../api/fields.ts";
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from "../../../../api/limits.ts";
import { isEmptyTopicName } from "../../../../api/topic-name.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";
import type { Channel } from "../../channels/channel.ts";
import { topicsPolicyOf } from "../../channels/topics-policy.ts";

const TRUNCATED_MESSAGE = "\n[message truncated]";
const TRUNCATED_TOPIC = "...";

/** The text to store for a message. Text that is too long is cut without an error. */
export function parseContent(text: string): string {
  const content = text.replace(/^\n+/, "").trimEnd();
  if (content.trim() === "") throw new ApiError(errors.emptyMessage);
  return truncate(content, MAX_MESSAGE_LENGTH, TRUNCATED_MESSAGE);
}

/**
 * The topic of a message to this channel; empty if the sender asked for that and it is allowed (spec E1
 * `topic`).
 */
export function parseTopic(state: OrganizationState, channel: Channel, text: string): string {
  const isEmpty = isEmptyTopicName(text);
  const policy = topicsPolicyOf(state, channel);
  if (isEmpty && policy === "disable_empty_topic") throw new ApiError(errors.topicRequired);
  if (!isEmpty && policy === "empty_topic_only") throw new ApiError(errors.topicNotAllowed);
  return parseTopicName(text);
}

/** A topic's name as it is stored, whatever the channel allows. */
export function parseTopicName(text: string): string {
  if (isEmptyTopicName(text)) return "";
  const stripped = text.trim();
  const position = unprintableAt(stripped);
  if (position !== undefined) throw new ApiError(errors.topicCharacter, { position });
  return truncate(stripped, MAX_TOPIC_LENGTH, TRUNCATED_TOPIC);
}

function truncate(text: string, limit: number, ending: string): string {
  // A string has at least as many UTF-16 units as code points, so short strings need no counting.
  if (text.length <= limit) return text;
  const characters = [...text];
  if (characters.length <= limit) return text;
  return characters.slice(0, limit - ending.length).join("") + ending;
}
