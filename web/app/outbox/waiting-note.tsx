import type { OutgoingMessage } from "../../../client/outbox.ts";
import { Icon } from "../../ui/icon.tsx";
import { UnsentActions } from "./unsent-actions.tsx";
import { reasonOf } from "./unsent-list.tsx";

/** Below a message that is not on its way yet: what it waits for. */
export function WaitingNote(props: { outgoing: OutgoingMessage; isWaiting: boolean }) {
  return (
    <p class="waiting" role="status">
      <Icon name="clock" />
      <span>{props.isWaiting ? reasonOf(props.outgoing) : ""}</span>
      <UnsentActions outgoing={props.outgoing} isFailed={false} />
    </p>
  );
}
