/** Whether the server has another version of this program. */
import { createSignal } from "solid-js";

const own = document.documentElement.dataset.build;
const [isOutdated, setOutdated] = createSignal(false);

export { isOutdated };

export async function askForVersion(): Promise<void> {
  if (own === undefined || isOutdated()) return;
  try {
    const response = await fetch("/client-build", { cache: "no-store" });
    if (response.ok && (await response.text()) !== own) setOutdated(true);
  } catch {
    // Whether the server can be reached is for the banner to say.
  }
}

/** A part that can't be fetched is gone from the server, or the network is. */
export function noticeLostParts(): void {
  addEventListener("vite:preloadError", () => void askForVersion());
}
