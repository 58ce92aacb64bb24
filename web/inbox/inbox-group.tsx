import { createSignal, onMount, Show, untrack } from "solid-js";
import { CallError } from "../../client/call-error.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { channelIcon } from "../shared/channels/channel-icon.ts";
import type { UnreadConversation } from "../shared/routing/unread-places.ts";
import { directView } from "../shared/routing/views.ts";
import { state } from "../shared/state/state.ts";
import { nameOf, peopleNames, topicName } from "../shared/text/names.ts";
import { plainText } from "../shared/text/plain.ts";
import { shortCount } from "../shared/text/short-count.ts";
import { listTime } from "../shared/text/times.ts";
import { createLine } from "../shared/topics/near-line.ts";
import { isFollowed } from "../shared/topics/topic-actions.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import type { Group } from "./groups.ts";

const RowActions = lazyPart(async () => (await import("../shared/topics/row-actions.tsx")).RowActions);
const GroupActions = lazyPart(async () => (await import("./group-actions.tsx")).GroupActions);

/** So many rows at first, and with each press of the button below. Direct conversations are all alike. */
const PAGE = 20;
const FIRST_DIRECT = 5;
/** So many of the newest direct messages are asked for, where a row's last one is not known. */
const DIRECT_COUNT = 100;
/** So many characters of the last message. The line cuts it where it ends. */
const LAST_LENGTH = 160;

/** A channel with its unread conversations, or the direct messages. Its heading folds it. */
export function InboxGroup(props: { group: Group; isFolded: boolean; onToggle(): void }) {
  const isDirect = () => props.group.channelId === undefined;
  const [limit, setLimit] = createSignal(untrack(isDirect) ? FIRST_DIRECT : PAGE);
  onMount(() => isDirect() && void loadLastLines(props.group.conversations.slice(0, limit())));
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
          {shortCount(props.group.count)}
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
      const { senderId, content, sentAt } = message;
      return { name: nameOf(senderId), text: plainText(content, LAST_LENGTH), time: listTime(sentAt * 1000) };
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
          {shortCount(props.conversation.count)}
        </span>
        <span class="sr">, {t("sidebar.unread", { count: props.conversation.count })}</span>
        <Show when={lastLine()}>
          {(line) => (
            <>
              <span class="inbox-last" aria-hidden="true">
                <bdi>{line().name}</bdi>: <span dir="auto">{line().text}</span>
              </span>
              <time>{line().time}</time>
            </>
          )}
        </Show>
      </a>
      <Show when={line.isNear()}>
        <RowActions place={place()} isUnread ends={{ read: true, muted: true }} />
      </Show>
    </li>
  );
}

/** One call for all rows, whatever it brings: without it they have names alone. */
async function loadLastLines(rows: readonly UnreadConversation[]): Promise<void> {
  const { byId } = state.model.messages;
  if (state.isStale || rows.every(({ newestId }) => byId.has(newestId))) return;
  const window = state.windows.open(directView.narrow);
  if (state.windows.isInUse(window)) return;
  try {
    await state.load(window, { anchor: "newest", before: DIRECT_COUNT, after: 0 });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
