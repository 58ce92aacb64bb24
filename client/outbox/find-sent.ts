import { foldName } from "../../api/fold-name.ts";
import { getMessages } from "../../api/messages/messages.ts";
import type { Connection } from "../connection.ts";
import { type NarrowTerm, narrowParameter } from "../narrow.ts";
import type { OutgoingMessage } from "./message.ts";

/** Own messages of one place that were sent since an attempt: more than anybody sends meanwhile. */
const MAX_LOOKED_AT = 100;

/**
 * Finds a message whose answer was lost among the viewer's own messages. Ids grow, so the clock of the device
 * does not matter. `isOther` says of an id that it is known to be another message.
 */
export async function findSent(
  connection: Connection,
  viewerId: number,
  { to, content, afterId }: OutgoingMessage,
  isOther: (id: number) => boolean,
): Promise<number | undefined> {
  const place: NarrowTerm =
    to.kind === "channel"
      ? { operator: "channel", operand: to.channelId }
      : { operator: "dm", operand: to.userIds };
  const parameters = {
    narrow: narrowParameter([place, { operator: "sender", operand: viewerId }]),
    ...{ anchor: String(afterId), include_anchor: false, num_before: 0, num_after: MAX_LOOKED_AT },
    ...{ apply_markdown: false, allow_empty_topic_name: true, client_gravatar: false },
  };
  const { messages } = await connection.call(getMessages, parameters);
  // A message that was moved since counts wherever it is now.
  const isInPlace = (topic: string, movedAt: number | undefined) =>
    to.kind === "direct" || foldName(topic) === foldName(to.topic) || movedAt !== undefined;
  return messages.find(
    (message) =>
      message.id > afterId &&
      message.content.trim() === content.trim() &&
      isInPlace(message.subject, message.last_moved_timestamp) &&
      !isOther(message.id),
  )?.id;
}
