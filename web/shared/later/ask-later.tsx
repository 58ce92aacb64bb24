import { lazyPart } from "../../i18n/lazy-part.ts";
import { openOverlay } from "../../ui/overlay.ts";
import type { LaterRequest } from "./later-dialog.tsx";

const LaterDialog = lazyPart(async () => (await import("./later-dialog.tsx")).LaterDialog);

/** Asks when something is to happen. */
export function askLater(request: LaterRequest): void {
  openOverlay((close) => <LaterDialog {...request} onClose={close} />);
}
