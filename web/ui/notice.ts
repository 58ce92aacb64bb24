/** A failure that has no place of its own on the screen. The banner shows it until it is closed. */
import { createSignal } from "solid-js";
import { CallError } from "../../client/call-error.ts";

const [notice, setNotice] = createSignal<string | undefined>();

export { notice };

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
