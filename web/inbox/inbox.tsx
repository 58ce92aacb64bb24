import { For, Show } from "solid-js";
import { go } from "../app/routing/route.ts";
import { listUnread, type UnreadConversation } from "../app/routing/unread-places.ts";
import { state } from "../app/state/state.ts";
import { channelName, peopleNames, topicName } from "../app/text/names.ts";
import { t } from "../i18n/t.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { bindRowKeys } from "../ui/row-keys.ts";

interface Group {
  /** undefined: direct messages. */
  channelId: number | undefined;
  conversations: UnreadConversation[];
}

/** Everything unread, by channel and conversation. Each row leads to the first unread message. */
export function Inbox() {
  let view: HTMLDivElement | undefined;
  bindRowKeys(() => view, ".inbox-row");
  const groups = live(["unreads", "subscriptions", "userTopics", "channels", "users", "generation"], () =>
    groupByChannel(listUnread()),
  );
  const isIncomplete = live(["unreads", "generation"], () => state.model.unreads.isIncomplete);
  return (
    <>
      <header class="view-header">
        <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
          <Icon name="back" />
        </button>
        <h1>{t("inbox.title")}</h1>
      </header>
      <div class="inbox" ref={view}>
        <Show when={groups().length > 0} fallback={<AllRead />}>
          <For each={groups()}>{(group) => <InboxGroup group={group} />}</For>
          <Show when={isIncomplete()}>
            <p class="note">{t("inbox.incomplete")}</p>
          </Show>
        </Show>
      </div>
    </>
  );
}

function InboxGroup(props: { group: Group }) {
  const { channelId } = props.group;
  const color =
    channelId === undefined ? undefined : state.model.subscriptions.byChannel.get(channelId)?.color;
  return (
    <section>
      <h2>
        <Show when={channelId} fallback={t("sidebar.direct")}>
          {(id) => (
            <>
              <span class="channel-sign" style={{ "--h": channelHue(color) }}>
                <Icon name="hash" />
              </span>
              <bdi>{channelName(id())}</bdi>
            </>
          )}
        </Show>
      </h2>
      <ul>
        <For each={props.group.conversations}>
          {({ place, link, count, hasMention }) => (
            <li>
              <a class="inbox-row" href={link}>
                <bdi>{"channelId" in place ? topicName(place.topic) : peopleNames(place.userIds)}</bdi>
                <span
                  class="count"
                  classList={{ urgent: hasMention || "userIds" in place }}
                  aria-hidden="true"
                >
                  {count}
                </span>
                <span class="sr">, {t("sidebar.unread", { count })}</span>
              </a>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}

function AllRead() {
  return (
    <div class="empty">
      <p>{t("inbox.empty")}</p>
      <a class="button" href="#feed">
        {t("inbox.emptyAction")}
      </a>
    </div>
  );
}

function groupByChannel(all: readonly UnreadConversation[]): Group[] {
  const groups: Group[] = [];
  for (const conversation of all) {
    const { place } = conversation;
    const channelId = "channelId" in place ? place.channelId : undefined;
    const last = groups.at(-1);
    if (last && last.channelId === channelId) last.conversations.push(conversation);
    else groups.push({ channelId, conversations: [conversation] });
  }
  return groups;
}
