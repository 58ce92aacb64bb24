/**
 * What has no place of its own on the screen. The banner shows a failure until it is closed, and a success
 * for a moment.
 */
import { createSignal } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import { loadWithTexts } from "../i18n/lazy-part.ts";

const [notice, setNotice] = createSignal<string | undefined>();

const SAID_MS = 3000;
const [said, setSaid] = createSignal<string>();
let silence: ReturnType<typeof setTimeout> | undefined;

export { notice, said };

/** Something has been done that does not show elsewhere. */
export function say(text: string): void {
  clearTimeout(silence);
  setSaid(text);
  silence = setTimeout(() => setSaid(undefined), SAID_MS);
}

export function closeNotice(): void {
  setNotice(undefined);
}

/** Runs something that a menu or a key caused. Gives undefined if it failed, and then says why. */
export async function reportFailure<T>(run: () => Promise<T>): Promise<T | undefined> {
  setNotice(undefined);
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    setNotice(error.message);
    return undefined;
  }
}

/** Runs what a press wants of a part that is fetched for it. If it can't be fetched, the banner says so. */
export async function withPart<T>(load: () => Promise<T>, run: (part: T) => unknown): Promise<void> {
  const part = await reportFailure(() => loadWithTexts(load));
  if (part !== undefined) await run(part);
}
