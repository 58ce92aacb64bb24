import { isEmptyTopicName, isResolvedEmptyTopic } from "../../../api/channels/topic-name.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { isVisible } from "../../../api/hidden-characters.ts";
import { MAX_MESSAGE_LENGTH } from "../../../api/limits.ts";
import type { Channel } from "../../channels/channel.ts";
import { parseTopicName, parseWholeTopicName } from "../../channels/recipients/topic-name.ts";
import { topicsPolicyOf } from "../../channels/topics-policy.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { truncate } from "../../platform/std/truncate.ts";

const TRUNCATED_MESSAGE = "\n[message truncated]";

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
