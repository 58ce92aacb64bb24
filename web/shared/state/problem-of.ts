import { CallError } from "../../../client/call-error.ts";
import { state } from "./state.ts";

/** Makes a call for a dialog. Gives what went wrong, in words; undefined: all is well. */
export async function problemOf(call: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await state.track(call);
    return undefined;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return error.message;
  }
}
