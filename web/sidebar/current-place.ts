import { type Conversation, conversationOf } from "../../client/narrow.ts";
import { route } from "../shared/routing/route.ts";

/** The conversation or channel that the address shows. */
export function currentPlace(): Conversation | undefined {
  const current = route();
  return current.view === "messages" ? conversationOf(current.narrow) : undefined;
}
