import { For, Show } from "solid-js";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { ChannelSign } from "../shared/channels/channel-sign.tsx";
import { state } from "../shared/state/state.ts";
import { channelName, nameInGroup } from "../shared/text/names.ts";
import { shortCount } from "../shared/text/short-count.ts";
import { listTime } from "../shared/text/times.ts";
import { createLine } from "../shared/topics/near-line.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { type RecentPlace, recentName } from "./recent-places.ts";

const RowActions = lazyPart(async () => (await import("../shared/topics/row-actions.tsx")).RowActions);

/** A conversation: what it is, who wrote last, when, and what is unread. */
export function RecentRow(props: { place: RecentPlace; ends: { read: boolean; muted: boolean } }) {
  const line = createLine();
  const to = () => props.place.to;
  const place = () => {
    const where = to();
    return where.kind === "channel"
      ? { channelId: where.channelId, topic: where.topic }
      : { userIds: where.userIds };
  };
  return (
    <tr
      class="recent-row"
      classList={{ unread: props.place.unread > 0, muted: props.place.isMuted }}
      {...line.handlers}
    >
      <td class="recent-place">
        <a class="recent-link" href={props.place.link}>
          <PlaceName place={props.place} />
        </a>
      </td>
      <td class="recent-writers">
        <Writers place={props.place} />
      </td>
      <td class="recent-time">
        <time>{listTime(props.place.sentAt * 1000)}</time>
      </td>
      <td class="recent-count">
        <Show when={props.place.unread > 0}>
          <span
            class="count"
            classList={{ urgent: to().kind === "direct" || props.place.hasMention }}
            aria-hidden="true"
          >
            {shortCount(props.place.unread)}
          </span>
          <span class="sr">{t("sidebar.unread", { count: props.place.unread })}</span>
        </Show>
      </td>
      <td class="recent-actions">
        <Show when={line.isNear()}>
          <RowActions place={place()} isUnread={props.place.unread > 0} ends={props.ends} resolves />
        </Show>
      </td>
    </tr>
  );
}

function PlaceName(props: { place: RecentPlace }) {
  const channelId = () => (props.place.to.kind === "channel" ? props.place.to.channelId : undefined);
  return (
    <>
      <Show when={channelId()} fallback={<Icon name="direct" />}>
        {(id) => (
          <>
            <ChannelSign channelId={id()} />
            <bdi class="recent-channel">{channelName(id())}</bdi>
            <span class="step" aria-hidden="true">
              ›
            </span>
          </>
        )}
      </Show>
      <bdi class="recent-name">{recentName(props.place.to)}</bdi>
      <Show when={props.place.isFollowed}>
        <Icon name="followed" />
        <span class="sr">({t("sidebar.followed")})</span>
      </Show>
      <Show when={props.place.isMuted}>
        <Icon name="bellOff" />
        <span class="sr">({t("sidebar.muted")})</span>
      </Show>
      <Show when={props.place.hasMention}>
        <Icon name="at" />
        <span class="sr">({t("view.mentions")})</span>
      </Show>
    </>
  );
}

/** Their pictures. The name of a conversation of two says already who writes there. */
function Writers(props: { place: RecentPlace }) {
  const isNamed = () => props.place.to.kind === "channel" || props.place.to.userIds.length > 2;
  const names = () => props.place.senders.map(nameInGroup).join(", ");
  return (
    <span class="recent-pictures" title={names()}>
      <For each={props.place.senders}>
        {(id) => <Avatar user={state.model.mutedUsers.has(id) ? undefined : state.model.users.get(id)} />}
      </For>
      <Show when={isNamed()}>
        <bdi class="sr">{names()}</bdi>
      </Show>
    </span>
  );
}
