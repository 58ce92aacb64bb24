import { lazyPart } from "../../i18n/lazy-part.ts";
import { openOverlay } from "../../ui/overlay.ts";

const ChannelColor = lazyPart(async () => (await import("./channel-color.tsx")).ChannelColor);
const ChannelNotifications = lazyPart(
  async () => (await import("./channel-notifications.tsx")).ChannelNotifications,
);

export function openChannelColor(channelId: number): void {
  openOverlay((close) => <ChannelColor channelId={channelId} onClose={close} />);
}

export function openChannelNotifications(channelId: number): void {
  openOverlay((close) => <ChannelNotifications channelId={channelId} onClose={close} />);
}
