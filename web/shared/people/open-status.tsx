import { lazyPart } from "../../i18n/lazy-part.ts";
import { openOverlay } from "../../ui/overlay.ts";

const StatusDialog = lazyPart(async () => (await import("./status-dialog.tsx")).StatusDialog);

/** What the viewer says about themselves. */
export function openStatus(): void {
  openOverlay((close) => <StatusDialog onClose={close} />);
}
