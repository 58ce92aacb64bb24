import type { TopicId } from "../../../../api/ids.ts";
import type { PlacedMessage } from "../delivery/audiences.ts";

/** A message to be deleted, and where it is. */
export interface DeletedMessage extends PlacedMessage {
  /** null for a direct message. */
  topicId: TopicId | null;
  topic: string | null;
}
