/** What the server takes, as it says, and until then as the contract does. */

import { topicRoom } from "../../../api/channels/topic-name.ts";
import { DEFAULT_UPLOAD_MIB, MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from "../../../api/limits.ts";
import { state } from "./state.ts";

/** In characters, as the server counts them. */
export function maxMessageLength(): number {
  return Number(state.model.constants.max_message_length ?? MAX_MESSAGE_LENGTH);
}

/** For a topic of this name; the mark of resolved ones is extra. */
export function maxTopicLength(name: string): number {
  return topicRoom(name, Number(state.model.constants.max_topic_length ?? MAX_TOPIC_LENGTH));
}

/** The size of a file. */
export function maxUploadMib(): number {
  return Number(state.model.constants.max_file_upload_size_mib ?? DEFAULT_UPLOAD_MIB);
}
