import type { Message } from "../../../client/model/messages.ts";
import type { Narrow } from "../../../client/narrow.ts";
import { withPart } from "../../ui/notice.ts";

/** The menu of a message, which is fetched when it is first opened. */
export function openMessageMenu(message: Message, narrow: Narrow, anchor: Element): void {
  void withPart(
    () => import("./message-menu.ts"),
    (menu) => menu.openMessageMenu(message, narrow, anchor),
  );
}
