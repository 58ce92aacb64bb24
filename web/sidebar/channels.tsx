import { createMemo, For, Show } from "solid-js";
import { channelLink } from "../app/links.ts";
import { state } from "../app/state.ts";
import { language, t } from "../i18n/t.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { currentPlace } from "./current-place.ts";
import { Item } from "./item.tsx";
import { Topics } from "./topics.tsx";

/**
 * The subscribed channels: pinned ones first, muted ones last. At the start they are hidden until the topics
 * of the open channel are there, which would push the others down.
 */
export function Channels() {
  const ids = live(["channels", "subscriptions", "generation"], () => {
    const { channels, subscriptions } = state.model;
    const shown = [...subscriptions.byChannel.values()].filter(
      ({ channelId, isSubscribed }) => isSubscribed && channels.get(channelId)?.isArchived === false,
    );
    const rank = ({ isPinned, isMuted }: { isPinned: boolean; isMuted: boolean }) =>
      isPinned ? 0 : isMuted ? 2 : 1;
    const name = ({ channelId }: { channelId: number }) => channels.get(channelId)?.name ?? "";
    return shown
      .sort((a, b) => rank(a) - rank(b) || name(a).localeCompare(name(b), language()))
      .map(({ channelId }) => channelId);
  });
  const topics = live("topics", () => state.topics);
  const isComplete = createMemo<boolean>((was) => {
    const open = currentPlace();
    return was || open?.kind !== "channel" || topics().wasAsked(open.channelId);
  }, false);
  return (
    <section>
      <h2>{t("sidebar.channels")}</h2>
      <Show when={ids().length > 0} fallback={<p class="none">{t("sidebar.noChannels")}</p>}>
        <ul classList={{ pending: !isComplete() }}>
          <For each={ids()}>{(id) => <ChannelRow channelId={id} />}</For>
        </ul>
      </Show>
    </section>
  );
}

function ChannelRow(props: { channelId: number }) {
  const id = props.channelId;
  const channel = live(["channels", "generation"], () => state.model.channels.get(id));
  const subscription = live(["subscriptions", "generation"], () =>
    state.model.subscriptions.byChannel.get(id),
  );
  const unread = live(["unreads", "subscriptions", "userTopics", "generation"], () => unreadIn(id));
  const place = () => {
    const current = currentPlace();
    return current?.kind === "channel" && current.channelId === id ? current : undefined;
  };
  const isMuted = () => subscription()?.isMuted ?? false;
  return (
    <>
      <Item
        link={channelLink(id)}
        name={channel()?.name ?? ""}
        count={unread().count}
        isUrgent={unread().hasMention}
        isMuted={isMuted()}
        isCurrent={place() !== undefined && place()?.topic === undefined}
        note={isMuted() ? t("sidebar.muted") : channel()?.isPrivate ? t("sidebar.private") : undefined}
        sign={
          <span class="sign channel-sign" style={{ "--h": channelHue(subscription()?.color) }}>
            <Icon name={channel()?.isPrivate ? "lock" : "hash"} />
          </span>
        }
      />
      <Show when={place() !== undefined}>
        <Topics channelId={id} />
      </Show>
    </>
  );
}

function unreadIn(channelId: number): { count: number; hasMention: boolean } {
  const { unreads, userTopics, subscriptions } = state.model;
  let count = 0;
  let hasMention = false;
  for (const { place, ids } of unreads.buckets.values()) {
    if (!("channelId" in place) || place.channelId !== channelId) continue;
    if (userTopics.isMuted(channelId, place.topic, subscriptions.isMuted(channelId))) continue;
    count += ids.size;
    hasMention ||= [...ids].some((id) => unreads.mentions.has(id));
  }
  return { count, hasMention };
}
