import { Show } from "solid-js";
import { conversationOf, type Narrow } from "../../client/narrow.ts";
import { channelLink } from "../app/links.ts";
import { channelName, peopleNames, topicName } from "../app/names.ts";
import { go } from "../app/route.ts";
import { state } from "../app/state.ts";
import { t } from "../i18n/t.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";

/** The conversation's name as the page's heading, with the channel's description beside it. */
export function ViewHeader(props: { narrow: Narrow }) {
  const place = live(["channels", "subscriptions", "users"], () => conversationOf(props.narrow));
  return (
    <header class="view-header">
      <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
        <Icon name="back" />
      </button>
      <Show when={place()} keyed fallback={<h1>{t("view.feed")}</h1>}>
        {(one) =>
          one.kind === "direct" ? (
            <h1 dir="auto">{peopleNames(one.userIds)}</h1>
          ) : (
            <ChannelTitle channelId={one.channelId} topic={one.topic} />
          )
        }
      </Show>
    </header>
  );
}

function ChannelTitle(props: { channelId: number; topic: string | undefined }) {
  const channel = () => state.model.channels.get(props.channelId);
  const hue = () => channelHue(state.model.subscriptions.byChannel.get(props.channelId)?.color);
  return (
    <>
      <h1>
        <span class="channel-sign" style={{ "--h": hue() }}>
          <Icon name={channel()?.isPrivate ? "lock" : "hash"} />
        </span>
        <Show when={props.topic !== undefined} fallback={<bdi>{channelName(props.channelId)}</bdi>}>
          <a href={channelLink(props.channelId)}>
            <bdi>{channelName(props.channelId)}</bdi>
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
    </>
  );
}
