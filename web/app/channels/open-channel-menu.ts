import { loadWithTexts } from "../../i18n/lazy-part.ts";
/** The menu of a channel, which is fetched when it is first opened. */
export function openChannelMenu(channelId: number, anchor: Element): void {
  void loadWithTexts(() => import("./channel-menu.ts")).then((menu) =>
    menu.openChannelMenu(channelId, anchor),
  );
}
