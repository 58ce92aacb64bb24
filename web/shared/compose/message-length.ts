import { state } from "../state/state.ts";

/** In characters, as the server counts them. */
export function maxMessageLength(): number {
  return Number(state.model.constants.max_message_length ?? 10_000);
}
