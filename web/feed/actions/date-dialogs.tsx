import { lazyPart } from "../../i18n/lazy-part.ts";
import { openOverlay } from "../../ui/overlay.ts";

const GoToDate = lazyPart(async () => (await import("./go-to-date.tsx")).GoToDate);

/** `sentAt`: the day that is proposed, in UNIX seconds. */
export function askForDate(sentAt: number, onChoose: (date: Date) => void): void {
  openOverlay((close) => <GoToDate sentAt={sentAt} onChoose={onChoose} onClose={close} />);
}
