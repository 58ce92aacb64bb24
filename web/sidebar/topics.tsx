import { createSignal, For, Show } from "solid-js";
import { foldName } from "../../api/fold-name.ts";
import { topicLink } from "../app/links.ts";
import { topicName } from "../app/names.ts";
import { state } from "../app/state.ts";
import { t } from "../i18n/t.ts";
import { live } from "../ui/live.ts";
import { currentPlace } from "./current-place.ts";
import { Item } from "./item.tsx";

const MAX_SHOWN = 6;

/** The topics of the open channel: the newest, those with unread messages, and the one on the screen. */
export function Topics(props: { channelId: number }) {
  const { channelId } = props;
  void state.topics.need(channelId);
  const [showsAll, setShowsAll] = createSignal(false);
  const all = live([`topics:${channelId}`, "generation"], () => {
    void state.topics.need(channelId);
    return state.topics.of(channelId).map(({ name }) => name);
  });
  const unread = live(["unreads", "generation"], () => state.model.unreads);
  const shown = () => {
    const open = openTopic(channelId);
    const isShown = (name: string, at: number) =>
      at < MAX_SHOWN || unread().inTopic(channelId, name).size > 0 || foldName(name) === open;
    return showsAll() ? all() : all().filter(isShown);
  };
  return (
    <>
      <For each={shown()}>{(name) => <Topic channelId={channelId} topic={name} />}</For>
      <Show when={all().length > shown().length}>
        <li>
          <button type="button" class="item topic more" onClick={() => setShowsAll(true)}>
            {t("sidebar.showAllTopics", { count: all().length - shown().length })}
          </button>
        </li>
      </Show>
    </>
  );
}

function Topic(props: { channelId: number; topic: string }) {
  const { channelId, topic } = props;
  const ids = live(["unreads", "generation"], () => state.model.unreads.inTopic(channelId, topic));
  const isMuted = live(["userTopics", "subscriptions", "generation"], () => {
    const { userTopics, subscriptions } = state.model;
    return userTopics.isMuted(channelId, topic, subscriptions.isMuted(channelId));
  });
  return (
    <Item
      isTopic
      link={topicLink(channelId, topic)}
      name={topicName(topic)}
      count={ids().size}
      isUrgent={[...ids()].some((id) => state.model.unreads.mentions.has(id))}
      isMuted={isMuted()}
      note={isMuted() ? t("sidebar.muted") : undefined}
      isCurrent={openTopic(channelId) === foldName(topic)}
    />
  );
}

function openTopic(channelId: number): string | undefined {
  const place = currentPlace();
  if (place?.kind !== "channel" || place.channelId !== channelId || place.topic === undefined)
    return undefined;
  return foldName(place.topic);
}
