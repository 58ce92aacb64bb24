import type { OutgoingMessage } from "../../../client/outbox/message.ts";
import { beginWith } from "../compose/texts.ts";
import { narrowOfMessage } from "../routing/links.ts";
import { goToNarrow } from "../routing/route.ts";
import { state } from "../state/state.ts";
import { addresseesOf } from "./shown-in.ts";

/** The message is a text again, in the box of its conversation. Files that are on their way follow it. */
export function editUnsent(outgoing: OutgoingMessage): void {
  goToNarrow(narrowOfMessage(addresseesOf(outgoing)));
  beginWith(outgoing.to, outgoing.content);
  state.outbox.remove(outgoing);
}
