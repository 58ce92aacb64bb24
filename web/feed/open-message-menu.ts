import type { Message } from "../../client/model/messages.ts";
import type { Narrow } from "../../client/narrow.ts";
import { loadWithTexts } from "../i18n/lazy-part.ts";

/** The menu of a message, which is fetched when it is first opened. */
export function openMessageMenu(message: Message, narrow: Narrow, anchor: Element): void {
  void loadWithTexts(() => import("./message-menu.ts")).then((menu) =>
    menu.openMessageMenu(message, narrow, anchor),
  );
}
