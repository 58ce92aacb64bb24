import type { Message } from "../../../client/model/messages.ts";
import { keyOfNarrow, type Narrow } from "../../../client/narrow.ts";
import type { OutgoingMessage } from "../../../client/outbox/message.ts";
import { narrowOfMessage } from "../routing/links.ts";
import { state } from "../state/state.ts";

/** With the viewer, as messages list them. */
export function addresseesOf({ to }: OutgoingMessage): Message["to"] {
  if (to.kind === "channel") return to;
  return {
    kind: "direct",
    userIds: [...new Set([...to.userIds, state.model.viewer.id])].sort((a, b) => a - b),
  };
}

/** Whether the view has a row for it at its end. */
export function isShownIn(outgoing: OutgoingMessage, narrow: Narrow): boolean {
  const own = narrowOfMessage(addresseesOf(outgoing));
  const isWhole = keyOfNarrow(narrow) === keyOfNarrow(own);
  const isChannel = narrow.length === 1 && keyOfNarrow(narrow) === keyOfNarrow(own.slice(0, 1));
  return narrow.length === 0 || isWhole || isChannel;
}
