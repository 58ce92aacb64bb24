import type { Channel } from "../../client/model/channels.ts";
import { state } from "../shared/state/state.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";

/** What kind of channel it is, in the viewer's colour for it. */
export function ChannelSign(props: { channel: Channel | undefined }) {
  const hue = live(["subscriptions", "generation"], () =>
    channelHue(state.model.subscriptions.byChannel.get(props.channel?.id ?? 0)?.color),
  );
  const icon = () => {
    if (props.channel?.isArchived) return "archive";
    if (props.channel?.isWebPublic) return "globe";
    return props.channel?.isPrivate ? "lock" : "hash";
  };
  return (
    <span class="channel-sign" style={{ "--h": hue() }}>
      <Icon name={icon()} />
    </span>
  );
}
