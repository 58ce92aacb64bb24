/** What can be done with a channel from lists and from its heading. */

import { subscribe, unsubscribe } from "../../../api/channels/subscriptions.ts";
import { markChannelAsRead } from "../../../api/messages/read-state.ts";
import { canJoin } from "../../../client/channel-access.ts";
import { t } from "../../i18n/t.ts";
import { copyLinkTo } from "../../ui/copy.ts";
import type { MenuItem } from "../../ui/menu.tsx";
import { askFirst, openMenu } from "../../ui/menus.tsx";
import { reportFailure } from "../../ui/notice.ts";
import { channelLink } from "../routing/links.ts";
import { go } from "../routing/route.ts";
import { state } from "../state/state.ts";
import { channelName } from "../text/names.ts";
import { changeSubscription } from "./change-subscription.ts";
import { beginTopic, mayBeginTopic } from "./new-topic.ts";
import { openChannelColor, openChannelNotifications } from "./open-channel-dialogs.tsx";
import { channelSettingsLink } from "./settings-link.ts";

export function openChannelMenu(channelId: number, anchor: Element): void {
  openMenu(t("channel.actions", { channel: channelName(channelId) }), anchor, itemsOf(channelId));
}

function itemsOf(channelId: number): MenuItem[] {
  const subscription = state.model.subscriptions.byChannel.get(channelId);
  const copy: MenuItem = { icon: "copy", label: t("channel.copyLink"), run: () => void copyLink(channelId) };
  const settings: MenuItem = {
    ...{ icon: "settings", label: t("channel.settings") },
    run: () => go(channelSettingsLink(channelId)),
  };
  if (!subscription?.isSubscribed) {
    const enter: MenuItem = { icon: "plus", label: t("channel.subscribe"), run: () => join(channelId) };
    return mayJoin(channelId) ? [enter, copy, settings] : [copy, settings];
  }
  const { isMuted, isPinned } = subscription;
  const isUnread = [...state.model.unreads.buckets.values()].some(
    ({ place }) => "channelId" in place && place.channelId === channelId,
  );
  const items: (MenuItem | false)[] = [
    mayBeginTopic(channelId) && {
      ...{ icon: "pencil", label: t("topic.new") },
      run: () => beginTopic(channelId),
    },
    isUnread && { icon: "check", label: t("channel.markRead"), run: () => markRead(channelId) },
    {
      ...{ icon: "pin", label: t(isPinned ? "channel.unpin" : "channel.pin") },
      run: () => change(channelId, "pin_to_top", !isPinned),
    },
    {
      ...{ icon: "bellOff", label: t(isMuted ? "channel.unmute" : "channel.mute") },
      run: () => change(channelId, "is_muted", !isMuted),
    },
    { icon: "bell", label: t("channel.notifications"), run: () => openChannelNotifications(channelId) },
    { icon: "palette", label: t("channel.color"), run: () => openChannelColor(channelId) },
    copy,
    settings,
    {
      ...{ icon: "close", label: t("channel.unsubscribe"), isDangerous: true },
      run: () => askToLeave(channelId),
    },
  ];
  return items.filter((item) => item !== false);
}

function mayJoin(channelId: number): boolean {
  const channel = state.model.channels.get(channelId);
  return channel !== undefined && canJoin(state.model, channel);
}

function change(channelId: number, property: "pin_to_top" | "is_muted", value: boolean): void {
  void reportFailure(() => changeSubscription(channelId, property, value));
}

function markRead(channelId: number): void {
  const parameters = { stream_id: channelId };
  void reportFailure(() => state.track(() => state.connection.call(markChannelAsRead, parameters)));
}

export function join(channelId: number): void {
  const parameters = { subscriptions: [{ name: channelName(channelId) }] };
  void reportFailure(() => state.track(() => state.connection.call(subscribe, parameters)));
}

function copyLink(channelId: number): Promise<void> {
  return copyLinkTo(channelLink(channelId));
}

/** People who leave a private channel need somebody to come back. */
export function askToLeave(channelId: number): void {
  const name = channelName(channelId);
  const isPrivate = state.model.channels.get(channelId)?.isPrivate ?? false;
  const leave = () =>
    reportFailure(() => state.track(() => state.connection.call(unsubscribe, { subscriptions: [name] })));
  if (!isPrivate) return void leave();
  askFirst({
    title: t("channel.leaveTitle", { channel: name }),
    text: t("channel.leaveText"),
    action: t("channel.unsubscribe"),
    async run() {
      await leave();
      return undefined;
    },
  });
}
