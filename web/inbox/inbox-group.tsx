import { createSignal, Show } from "solid-js";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { channelIcon } from "../shared/channels/channel-icon.ts";
import type { UnreadConversation } from "../shared/routing/unread-places.ts";
import { state } from "../shared/state/state.ts";
import { nameOf, peopleNames, topicName } from "../shared/text/names.ts";
import { plainText } from "../shared/text/plain.ts";
import { createLine } from "../shared/topics/near-line.ts";
import { isFollowed } from "../shared/topics/topic-actions.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import type { Group } from "./groups.ts";

const RowActions = lazyPart(async () => (await import("../shared/topics/row-actions.tsx")).RowActions);
const GroupActions = lazyPart(async () => (await import("./group-actions.tsx")).GroupActions);

/** So many rows at first, and with each press of the button below. */
const PAGE = 20;
/** So many characters of the last message. The line cuts it where it ends. */
const LAST_LENGTH = 160;

/** A channel with its unread conversations, or the direct messages. Its heading folds it. */
export function InboxGroup(props: { group: Group; isFolded: boolean; onToggle(): void }) {
  const [limit, setLimit] = createSignal(PAGE);
  const line = createLine();
  const rest = () => props.group.conversations.length - limit();
  const channel = () => state.model.channels.get(props.group.channelId ?? 0);
  const hue = () => channelHue(state.model.subscriptions.byChannel.get(props.group.channelId ?? 0)?.color);
  return (
    <section>
      <div class="inbox-head" {...line.handlers}>
        <button
          type="button"
          class="square inbox-fold"
          aria-expanded={!props.isFolded}
          aria-label={t("inbox.fold", { name: props.group.name })}
          onClick={() => props.onToggle()}
        >
          <Icon name="expand" />
        </button>
        <h2>
          <a href={props.group.link}>
            <Show when={props.group.channelId !== undefined}>
              <span class="channel-sign" style={{ "--h": hue() }}>
                <Icon name={channelIcon(channel())} />
              </span>
            </Show>
            <bdi>{props.group.name}</bdi>
          </a>
        </h2>
        <span
          class="count"
          classList={{ urgent: props.group.hasMention || props.group.channelId === undefined }}
          aria-hidden="true"
        >
          {props.group.count}
        </span>
        <span class="sr">{t("sidebar.unread", { count: props.group.count })}</span>
        <Show when={line.isNear()}>
          <GroupActions group={props.group} />
        </Show>
      </div>
      <Show when={!props.isFolded}>
        <ul>
          <Keyed each={props.group.conversations.slice(0, limit())} by={({ link }) => link}>
            {(conversation) => <InboxRow conversation={conversation()} />}
          </Keyed>
        </ul>
        <Show when={rest() > 0}>
          <button type="button" class="quiet inbox-more" onClick={() => setLimit(limit() + PAGE)}>
            {t("inbox.more", { count: Math.min(rest(), PAGE), rest: rest() })}
          </button>
        </Show>
      </Show>
    </section>
  );
}

function InboxRow(props: { conversation: UnreadConversation }) {
  const line = createLine();
  const place = () => props.conversation.place;
  const name = () => {
    const to = place();
    return "channelId" in to ? topicName(to.topic) : peopleNames(to.userIds);
  };
  /** Only of what is known here: a list of thousands asks for nothing. Hidden where its writer is muted. */
  const lastLine = live(
    [`messages:${props.conversation.newestId}`, "users", "mutedUsers", "generation"],
    () => {
      const message = state.model.messages.byId.get(props.conversation.newestId);
      if (!message || state.model.mutedUsers.has(message.senderId)) return undefined;
      return { name: nameOf(message.senderId), text: plainText(message.content, LAST_LENGTH) };
    },
  );
  const follows = () => {
    const to = place();
    return "channelId" in to && isFollowed(to);
  };
  return (
    <li class="inbox-line" {...line.handlers}>
      <a class="inbox-row" href={props.conversation.link}>
        <bdi>{name()}</bdi>
        <Show when={follows()}>
          <Icon name="followed" />
          <span class="sr">({t("sidebar.followed")})</span>
        </Show>
        <Show when={props.conversation.hasMention}>
          <Icon name="at" />
          <span class="sr">({t("view.mentions")})</span>
        </Show>
        <span
          class="count"
          classList={{ urgent: props.conversation.hasMention || "userIds" in place() }}
          aria-hidden="true"
        >
          {props.conversation.count}
        </span>
        <span class="sr">, {t("sidebar.unread", { count: props.conversation.count })}</span>
        <Show when={lastLine()}>
          {(line) => (
            <span class="inbox-last" aria-hidden="true">
              <bdi>{line().name}</bdi>: <span dir="auto">{line().text}</span>
            </span>
          )}
        </Show>
      </a>
      <Show when={line.isNear()}>
        <RowActions place={place()} isUnread ends={{ read: true, muted: true }} />
      </Show>
    </li>
  );
}
