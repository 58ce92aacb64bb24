import { postMessage } from "../../messages/send/post.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import { welcomeText } from "./join-messages.ts";

/**
 * Sends the viewer a text as a welcome message would have it. The function that it returns gives the
 * message's id after the commit. Throws `mustBeAdministrator`, and `emptyMessage`.
 */
export async function sendTestWelcome(tx: ViewerChange, text: string): Promise<() => number> {
  checkAdministrator(tx.viewer);
  let id: number | undefined;
  const posted = (messageId: number) => {
    id = messageId;
  };
  await postMessage(tx, { ...welcomeText(tx.viewer.user, text), posted });
  return () => {
    if (id === undefined) throw new Error("the message has no id before the commit");
    return id;
  };
}
