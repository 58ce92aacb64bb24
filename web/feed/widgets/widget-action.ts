import { addSubmessage } from "../../../api/messages/polls.ts";
import type { WidgetAction } from "../../../api/messages/widgets.ts";
import { state } from "../../shared/state/state.ts";
import { attempt } from "../rows/row-problems.ts";

/** Takes part in an interactive message. Gives whether that worked; if not, its row says why. */
export async function takePart(messageId: number, action: WidgetAction): Promise<boolean> {
  const parameters = { message_id: messageId, msg_type: "widget" as const, content: action };
  const reply = await attempt(messageId, () => state.connection.call(addSubmessage, parameters));
  return reply !== undefined;
}
