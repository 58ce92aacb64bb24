import { withPart } from "../../ui/notice.ts";

/** The menu of a channel, which is fetched when it is first opened. */
export function openChannelMenu(channelId: number, anchor: Element): void {
  void withPart(
    () => import("./channel-menu.ts"),
    (menu) => menu.openChannelMenu(channelId, anchor),
  );
}
