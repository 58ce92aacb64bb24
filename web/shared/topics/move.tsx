/** Moving a topic or a message of it: who may, and the dialog. */

import type { Message } from "../../../client/model/messages.ts";
import { canMoveChannel, canMoveTopic } from "../../../client/permissions.ts";
import { lazyPart } from "../../i18n/lazy-part.ts";
import { openOverlay } from "../../ui/overlay.ts";
import { state } from "../state/state.ts";
import type { TopicPlace } from "./topic-actions.ts";

const MoveDialog = lazyPart(async () => (await import("./move-dialog.tsx")).MoveDialog);

/** Without a message, the topic as a whole is moved. */
export function openMoveDialog(place: TopicPlace, message?: Message): void {
  openOverlay((close) => <MoveDialog place={place} message={message} onClose={close} />);
}

export function canMove(place: TopicPlace, message?: Message): boolean {
  const moved = message ?? { to: { kind: "channel" as const, ...place }, sentAt: state.model.now() / 1000 };
  return canMoveTopic(state.model, moved) || canMoveChannel(state.model, moved);
}

/** Opens the dialog for a message of a channel. False: the viewer may not move it. */
export function moveMessage(message: Message): boolean {
  const { to } = message;
  if (to.kind !== "channel" || !canMove(to, message)) return false;
  openMoveDialog({ channelId: to.channelId, topic: to.topic }, message);
  return true;
}
