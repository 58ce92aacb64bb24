import { userSettings } from "../../../api/people/user-settings.ts";
import { live } from "../../ui/live.ts";
import { hasModifier } from "../../ui/modifier.ts";
import { state } from "../state/state.ts";

/** Whether Enter alone sends and saves, as the account has it set. With Ctrl or ⌘ it always does. */
export const enterSendsSignal = () =>
  live(["settings", "generation"], () => state.model.settings.get(userSettings.enterSends));

export function isSendKey(event: KeyboardEvent, enterSends: boolean): boolean {
  return event.key === "Enter" && (event.ctrlKey || hasModifier(event) || (enterSends && !event.shiftKey));
}
