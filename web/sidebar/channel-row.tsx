import { Show } from "solid-js";
import { userSettings } from "../../api/people/user-settings.ts";
import { channelKey } from "../../client/model/unreads.ts";
import { t } from "../i18n/t.ts";
import { channelIcon } from "../shared/channels/channel-icon.ts";
import { openChannel } from "../shared/channels/open-channel.ts";
import { openChannelMenu } from "../shared/channels/open-channel-menu.ts";
import { countIn } from "../shared/channels/unread-in.ts";
import { channelLink } from "../shared/routing/links.ts";
import { state } from "../shared/state/state.ts";
import { channelName, topicName } from "../shared/text/names.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { currentPlace } from "./current-place.ts";
import { fits, isFiltering } from "./filter.tsx";
import { Item } from "./item.tsx";
import { Topics } from "./topics.tsx";

/** As the setting numbers them. */
const COUNTS = { all: 1, unmuted: 2, none: 3 };

/** A channel, and its topics while it is open or while they are looked for. */
export function ChannelRow(props: { channelId: number }) {
  const id = props.channelId;
  const channel = live(["channels", "generation"], () => state.model.channels.get(id));
  const subscription = live(["subscriptions", "generation"], () =>
    state.model.subscriptions.byChannel.get(id),
  );
  const unread = live([`unreads:${channelKey(id)}`, "subscriptions", "userTopics", "generation"], () =>
    countIn([id]),
  );
  const counts = live(["settings", "generation"], () =>
    state.model.settings.get(userSettings.webStreamUnreadsCountDisplayPolicy),
  );
  const place = () => {
    const current = currentPlace();
    return current?.kind === "channel" && current.channelId === id ? current : undefined;
  };
  const isMuted = () => subscription()?.isMuted ?? false;
  const hasCount = () => counts() === COUNTS.all || (counts() === COUNTS.unmuted && !isMuted());
  const hasFittingTopics = () =>
    isFiltering() && !fits(channelName(id)) && state.topics.of(id).some(({ name }) => fits(topicName(name)));
  return (
    <>
      <Item
        link={channelLink(id)}
        open={() => void openChannel(id)}
        name={channel()?.name ?? ""}
        count={hasCount() ? unread().count : 0}
        isUrgent={unread().hasMention}
        isMuted={isMuted()}
        onMenu={(anchor) => openChannelMenu(id, anchor)}
        isCurrent={place() !== undefined && place()?.topic === undefined}
        note={isMuted() ? t("sidebar.muted") : channel()?.isPrivate ? t("sidebar.private") : undefined}
        sign={
          <span class="sign channel-sign" style={{ "--h": channelHue(subscription()?.color) }}>
            <Icon name={channelIcon(channel())} />
          </span>
        }
      />
      <Show when={place() !== undefined || hasFittingTopics()}>
        <Topics channelId={id} isFiltered={hasFittingTopics()} />
      </Show>
    </>
  );
}
