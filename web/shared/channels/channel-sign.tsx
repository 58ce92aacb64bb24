import { channelHue } from "../../ui/channel-hue.ts";
import { Icon } from "../../ui/icon.tsx";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";
import { channelIcon } from "./channel-icon.ts";

/** What kind of channel it is, in the viewer's colour for it. */
export function ChannelSign(props: { channelId: number }) {
  const hue = live(["subscriptions", "generation"], () =>
    channelHue(state.model.subscriptions.byChannel.get(props.channelId)?.color),
  );
  const icon = live(["channels", "generation"], () => channelIcon(state.model.channels.get(props.channelId)));
  return (
    <span class="channel-sign" style={{ "--h": hue() }}>
      <Icon name={icon()} />
    </span>
  );
}
