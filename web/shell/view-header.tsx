import { Show } from "solid-js";
import { conversationOf, type Narrow } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { SearchHere } from "../search/search-here.tsx";
import { channelIcon } from "../shared/channels/channel-icon.ts";
import { beginTopic, mayBeginTopicSignal } from "../shared/channels/new-topic.ts";
import { openChannelMenu } from "../shared/channels/open-channel-menu.ts";
import { isPeopleOpen, setPeopleOpen } from "../shared/people/people-panel.ts";
import { channelLink } from "../shared/routing/links.ts";
import { go } from "../shared/routing/route.ts";
import { viewName } from "../shared/routing/views.ts";
import { state } from "../shared/state/state.ts";
import { channelName, peopleNames, topicName } from "../shared/text/names.ts";
import { openTopicMenu } from "../shared/topics/open-topic-menu.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";

/** Opens and closes the list of people. */
function PeopleButton() {
  return (
    <button
      type="button"
      class="square people-button"
      aria-label={t("people.open")}
      title={t("people.open")}
      aria-expanded={isPeopleOpen()}
      onClick={() => setPeopleOpen(!isPeopleOpen())}
    >
      <Icon name="people" />
    </button>
  );
}

/**
 * The conversation's name as the page's heading, with the channel's description beside it. Another narrow has
 * a header of its own.
 */
export function ViewHeader(props: { narrow: Narrow }) {
  const place = conversationOf(props.narrow);
  const name = live(["channels", "users", "mutedUsers", "generation"], () =>
    place?.kind === "direct" ? peopleNames(place.userIds) : viewName(props.narrow),
  );
  return (
    <header class="view-header">
      <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
        <Icon name="back" />
      </button>
      {place?.kind === "channel" ? (
        <ChannelTitle channelId={place.channelId} topic={place.topic} />
      ) : (
        <h1 dir="auto">{name()}</h1>
      )}
      <SearchHere narrow={props.narrow} />
      <PeopleButton />
    </header>
  );
}

function ChannelTitle(props: { channelId: number; topic: string | undefined }) {
  const channel = live(["channels", "generation"], () => state.model.channels.get(props.channelId));
  const openPlaceMenu = (anchor: Element) =>
    props.topic === undefined
      ? openChannelMenu(props.channelId, anchor)
      : openTopicMenu({ channelId: props.channelId, topic: props.topic }, anchor, true);
  const name = live(["channels", "generation"], () => channelName(props.channelId));
  const hue = live(["subscriptions", "generation"], () =>
    channelHue(state.model.subscriptions.byChannel.get(props.channelId)?.color),
  );
  const mayBegin = mayBeginTopicSignal(() => props.channelId);
  return (
    <>
      <h1>
        <span class="channel-sign" style={{ "--h": hue() }}>
          <Icon name={channelIcon(channel())} />
        </span>
        <Show when={props.topic !== undefined} fallback={<bdi>{name()}</bdi>}>
          <a href={channelLink(props.channelId)}>
            <bdi>{name()}</bdi>
          </a>
          <span class="step" aria-hidden="true">
            ›
          </span>
          <bdi class="topic-name">{topicName(props.topic ?? "")}</bdi>
        </Show>
      </h1>
      <p class="description" dir="auto">
        {channel()?.description}
      </p>
      <Show when={mayBegin()}>
        <button
          type="button"
          class="button new-topic"
          aria-label={t("topic.new")}
          title={t("topic.new")}
          onClick={() => beginTopic(props.channelId)}
        >
          <Icon name="plus" />
          <span>{t("topic.new")}</span>
        </button>
      </Show>
      <button
        type="button"
        class="square"
        aria-label={t("header.actions")}
        aria-haspopup="menu"
        onClick={(event) => openPlaceMenu(event.currentTarget)}
      >
        <Icon name="more" />
      </button>
    </>
  );
}
