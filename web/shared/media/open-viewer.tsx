import { lazyPart } from "../../i18n/lazy-part.ts";
import { openOverlay } from "../../ui/overlay.ts";
import { state } from "../state/state.ts";
import { type Medium, mediaOf } from "./medium.ts";

const Viewer = lazyPart(async () => (await import("./viewer.tsx")).Viewer);

export interface ShownMedium extends Medium {
  /** undefined: it is not in a message, but in a preview. */
  messageId: number | undefined;
}

/** Shows a picture large. From there, one can go through all of the view. */
export function openViewer(link: Element, medium: Medium): void {
  const media = mediaOfView();
  const key = link.closest<HTMLElement>("[data-key]")?.dataset.key;
  const at = media.findIndex(
    ({ messageId, href }) => href === medium.href && messageId !== undefined && keyOf(messageId) === key,
  );
  const shown = at < 0 ? [{ ...medium, messageId: undefined }] : media;
  openOverlay((close) => <Viewer media={shown} start={Math.max(0, at)} onClose={close} />);
}

function mediaOfView(): ShownMedium[] {
  const { messages, mutedUsers } = state.model;
  return (state.windowInUse?.ids ?? []).flatMap((messageId) => {
    const message = messages.byId.get(messageId);
    if (!message || mutedUsers.has(message.senderId)) return [];
    return mediaOf(message.content).map((medium) => ({ ...medium, messageId }));
  });
}

function keyOf(messageId: number): string {
  return state.outbox.localIds.get(messageId) ?? String(messageId);
}
