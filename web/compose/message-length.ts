import { state } from "../app/state/state.ts";

export function maxMessageLength(): number {
  return Number(state.model.constants.max_message_length ?? 10_000);
}
