import { createMemo, createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { combinedFeed } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { go } from "../shared/routing/route.ts";
import { state } from "../shared/state/state.ts";
import { whenBack } from "../shared/state/when-back.ts";
import { channelName, nameInGroup, peopleNames, topicName } from "../shared/text/names.ts";
import { listTime } from "../shared/text/times.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { Problem } from "../ui/problem.tsx";
import { bindRowKeys } from "../ui/row-keys.ts";
import { listRecent, type RecentFilter, type RecentPlace } from "./recent-places.ts";

const PAGE = 300;
const filterNames = ["unread", "participated", "followed", "direct"] as const;

/** All conversations by their newest message, one line each. */
export function Recent() {
  let view: HTMLDivElement | undefined;
  bindRowKeys(() => view, ".inbox-row");
  const opened = state.openWindow(combinedFeed, { around: PAGE, page: PAGE });
  const { window } = opened;
  onCleanup(() => opened.close());
  const [filters, setFilters] = createSignal<ReadonlySet<RecentFilter>>(new Set<RecentFilter>());
  const problem = live(`windows:${window.key}`, () => opened.problem);
  const version = live(
    ["messages", "unreads", "userTopics", "subscriptions", "channels", "users", "mutedUsers", "generation"],
    () => ({}),
  );
  const places = createMemo(() => {
    version();
    return listRecent(filters());
  });
  const hasMore = live([`windows:${window.key}`, "generation"], () => !window.foundOldest);
  const toggle = (filter: RecentFilter) => {
    const next = new Set(filters());
    if (!next.delete(filter)) next.add(filter);
    setFilters(next);
  };

  whenBack(() => problem() !== undefined && void opened.retry());
  onMount(() => {
    if (!window.isLoaded) void opened.open("newest");
    else opened.openKnown("newest");
  });
  return (
    <>
      <header class="view-header">
        <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
          <Icon name="back" />
        </button>
        <h1>{t("view.recent")}</h1>
      </header>
      <div class="inbox recent" ref={view}>
        <ul class="filters" aria-label={t("recent.filters")}>
          <For each={filterNames}>
            {(filter) => (
              <li>
                <button
                  type="button"
                  class="filter"
                  aria-pressed={filters().has(filter)}
                  onClick={() => toggle(filter)}
                >
                  {t(`recent.${filter}`)}
                </button>
              </li>
            )}
          </For>
        </ul>
        <Show when={places().length > 0} fallback={<p class="note">{t("recent.empty")}</p>}>
          <ul class="recent-list">
            <Keyed each={places()} by={({ key }) => key}>
              {(place) => <RecentRow place={place()} />}
            </Keyed>
          </ul>
        </Show>
        <Problem text={problem()} />
        <Show when={hasMore()}>
          <p class="note">
            <button type="button" class="quiet" onClick={() => void opened.loadOlder()}>
              {t("recent.more")}
            </button>
          </p>
        </Show>
      </div>
    </>
  );
}

function RecentRow(props: { place: RecentPlace }) {
  /** The name of a conversation of two says who writes there. */
  const senders = () => {
    const { to, senders } = props.place;
    return to.kind === "direct" && to.userIds.length <= 2 ? "" : senders.map(nameInGroup).join(", ");
  };
  return (
    <li>
      <a class="inbox-row" classList={{ unread: props.place.unread > 0 }} href={props.place.link}>
        <PlaceName to={props.place.to} />
        <bdi class="recent-people">{senders()}</bdi>
        <time class="recent-time">{listTime(props.place.sentAt * 1000)}</time>
        <span class="recent-count">
          <Show when={props.place.unread > 0}>
            <span class="count" classList={{ urgent: props.place.to.kind === "direct" }} aria-hidden="true">
              {props.place.unread}
            </span>
            <span class="sr">, {t("sidebar.unread", { count: props.place.unread })}</span>
          </Show>
        </span>
      </a>
    </li>
  );
}

function PlaceName(props: { to: RecentPlace["to"] }) {
  const { to } = props;
  if (to.kind === "direct") return <bdi>{peopleNames(to.userIds)}</bdi>;
  return (
    <>
      <bdi class="recent-channel">#{channelName(to.channelId)}</bdi>
      <bdi>{topicName(to.topic)}</bdi>
    </>
  );
}
