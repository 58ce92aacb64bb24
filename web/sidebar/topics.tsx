import { createSignal, Show } from "solid-js";
import { foldName } from "../../api/fold-name.ts";
import { fold } from "../../client/autocomplete/fold.ts";
import { topicKey } from "../../client/model/unreads.ts";
import { t } from "../i18n/t.ts";
import { topicLink } from "../shared/routing/links.ts";
import { state } from "../shared/state/state.ts";
import { whenBack } from "../shared/state/when-back.ts";
import { topicName } from "../shared/text/names.ts";
import { openTopicMenu } from "../shared/topics/open-topic-menu.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { currentPlace } from "./current-place.ts";
import { fits } from "./filter.tsx";
import { Item } from "./item.tsx";

const MAX_SHOWN = 6;
/** A filter finds the rest. */
const MAX_EVER = 200;

/**
 * The topics of the open channel: the newest, those with unread messages, and the one on the screen. All of
 * them come with a field that filters them.
 */
export function Topics(props: { channelId: number; isFiltered: boolean }) {
  const { channelId } = props;
  void state.topics.need(channelId);
  whenBack(() => void state.topics.need(channelId));
  const [showsAll, setShowsAll] = createSignal(false);
  const [text, setText] = createSignal("");
  const all = live([`topics:${channelId}`, "generation"], () => {
    void state.topics.need(channelId);
    return state.topics.of(channelId).map(({ name }) => name);
  });
  const unread = live([`unreads:channel ${channelId}`, "generation"], () => state.model.unreads);
  const muted = live(["userTopics", "subscriptions", "generation"], () => state.model.userTopics);
  const shown = () => {
    if (props.isFiltered)
      return all()
        .filter((name) => fits(topicName(name)))
        .slice(0, MAX_SHOWN);
    if (showsAll())
      return all()
        .filter((name) => fold(topicName(name)).includes(fold(text())))
        .slice(0, MAX_EVER);
    const open = openTopic(channelId);
    const isUnread = (name: string) =>
      unread().inTopic(channelId, name).size > 0 &&
      !muted().isMuted(channelId, name, state.model.subscriptions.isMuted(channelId));
    return all().filter((name, at) => at < MAX_SHOWN || isUnread(name) || foldName(name) === open);
  };
  const rest = () => all().length - shown().length;
  return (
    <>
      <Show when={showsAll() && !props.isFiltered}>
        <li class="topic-filter">
          <input
            type="text"
            aria-label={t("topics.filter")}
            placeholder={t("topics.filter")}
            autocomplete="off"
            ref={(field) => queueMicrotask(() => field.focus())}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </li>
      </Show>
      <Keyed each={shown()} by={(name) => name}>
        {(name) => <Topic channelId={channelId} topic={name()} />}
      </Keyed>
      <Show when={!props.isFiltered && (rest() > 0 || showsAll())}>
        <li>
          <button
            type="button"
            class="item topic more"
            aria-expanded={showsAll()}
            onClick={() => {
              setText("");
              setShowsAll(!showsAll());
            }}
          >
            {showsAll() ? t("sidebar.fewer") : t("sidebar.showAllTopics", { count: rest() })}
          </button>
        </li>
      </Show>
    </>
  );
}

function Topic(props: { channelId: number; topic: string }) {
  const { channelId, topic } = props;
  const ids = live([`unreads:${topicKey(channelId, topic)}`, "generation"], () =>
    state.model.unreads.inTopic(channelId, topic),
  );
  const policy = live(["userTopics", "subscriptions", "generation"], () => {
    const { userTopics, subscriptions } = state.model;
    if (userTopics.isMuted(channelId, topic, subscriptions.isMuted(channelId))) return "muted";
    return userTopics.policyOf(channelId, topic) === "followed" ? "followed" : "none";
  });
  const note = () => {
    if (policy() === "muted") return t("sidebar.muted");
    return policy() === "followed" ? t("sidebar.followed") : undefined;
  };
  return (
    <Item
      isTopic
      link={topicLink(channelId, topic)}
      name={topicName(topic)}
      count={ids().size}
      isUrgent={[...ids()].some((id) => state.model.unreads.mentions.has(id))}
      isMuted={policy() === "muted"}
      onMenu={(anchor) => openTopicMenu({ channelId, topic }, anchor)}
      note={note()}
      mark={
        <Show when={policy() === "followed"}>
          <Icon name="followed" />
        </Show>
      }
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
