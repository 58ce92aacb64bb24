import { createSignal, Show } from "solid-js";
import { directKey } from "../../client/model/unreads.ts";
import { t } from "../i18n/t.ts";
import { openBox } from "../shared/compose/compose-target.ts";
import { StatusEmoji } from "../shared/people/status-emoji.tsx";
import { directLink } from "../shared/routing/links.ts";
import { directView } from "../shared/routing/views.ts";
import { state } from "../shared/state/state.ts";
import { peopleNames } from "../shared/text/names.ts";
import { shortCount } from "../shared/text/short-count.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { currentPlace } from "./current-place.ts";
import { fits, isFiltering } from "./filter.tsx";
import { Item } from "./item.tsx";
import { Section } from "./section.tsx";

const MAX_SHOWN = 5;
const MAX_EVER = 50;

/** The newest conversations, and how many others there are. They unfold, unread or not. */
export function DirectMessages() {
  const [showsMore, setShowsMore] = createSignal(false);
  const all = live(["conversations", "mutedUsers", "generation"], () => {
    const { conversations, mutedUsers } = state.model;
    const isMuted = ({ userIds }: { userIds: readonly number[] }) =>
      userIds.length === 1 && userIds.every((id) => mutedUsers.has(id));
    return conversations
      .newestFirst()
      .filter((conversation) => !isMuted(conversation))
      .map(({ userIds }) => userIds.join());
  });
  const version = live(["unreads", "users", "generation"], () => ({}));
  const shown = () => {
    version();
    const limit = showsMore() || isFiltering() ? MAX_EVER : MAX_SHOWN;
    const isShown = (key: string, at: number) => at < limit || isOpen(peopleOf(key));
    const fitting = isFiltering() ? all().filter((key) => fits(peopleNames(peopleOf(key)))) : all();
    return fitting.filter(isShown);
  };
  const countIn = (keys: readonly string[]) => {
    version();
    return keys.reduce((sum, key) => sum + state.model.unreads.inConversation(peopleOf(key)).size, 0);
  };
  const hidden = () => {
    const on = new Set(shown());
    return showsMore()
      ? []
      : all()
          .slice(0, MAX_EVER)
          .filter((key) => !on.has(key));
  };
  return (
    <Show when={!isFiltering() || shown().length > 0}>
      <Section
        id="direct"
        title={t("sidebar.direct")}
        count={countIn(all())}
        isUrgent
        collapsedTo={<DirectConversations keys={shown().filter((key) => isOpen(peopleOf(key)))} />}
        action={
          <>
            <a class="square" href={directView.hash} aria-label={t("view.direct")} title={t("view.direct")}>
              <Icon name="direct" />
            </a>
            <button
              type="button"
              class="square"
              aria-label={t("key.composeDirect")}
              title={t("key.composeDirect")}
              onClick={() => openBox({ kind: "direct", userIds: [] })}
            >
              <Icon name="plus" />
            </button>
          </>
        }
      >
        <Show when={all().length > 0} fallback={<p class="none">{t("sidebar.noDirect")}</p>}>
          <DirectConversations keys={shown()} />
        </Show>
        <Show when={!isFiltering() && (showsMore() || hidden().length > 0)}>
          <button
            type="button"
            class="item more"
            aria-expanded={showsMore()}
            onClick={() => setShowsMore(!showsMore())}
          >
            {showsMore() ? t("sidebar.fewer") : t("sidebar.moreDirect", { count: hidden().length })}
            <Show when={countIn(hidden()) > 0}>
              <span class="count urgent" aria-hidden="true">
                {shortCount(countIn(hidden()))}
              </span>
              <span class="sr">, {t("sidebar.unread", { count: countIn(hidden()) })}</span>
            </Show>
          </button>
        </Show>
      </Section>
    </Show>
  );
}

function DirectConversations(props: { keys: readonly string[] }) {
  return (
    <ul>
      <Keyed each={props.keys} by={(key) => key}>
        {(key) => <DirectConversation userIds={peopleOf(key())} />}
      </Keyed>
    </ul>
  );
}

function DirectConversation(props: { userIds: readonly number[] }) {
  const { userIds } = props;
  const ids = userIds.length > 0 ? userIds : [state.model.viewer.id];
  const only = userIds.length === 1 ? userIds[0] : undefined;
  const count = live(
    [`unreads:${directKey(ids)}`, "generation"],
    () => state.model.unreads.inConversation(userIds).size,
  );
  const name = live(["users", "mutedUsers", "generation"], () => peopleNames(userIds));
  const presence = live([`presences:${only ?? "none"}`, "generation"], () =>
    only === undefined ? undefined : state.model.presences.statusOf(only),
  );
  return (
    <Item
      link={directLink(userIds)}
      name={name()}
      count={count()}
      isUrgent
      isCurrent={isOpen(userIds)}
      note={presence() && t(`presence.${presence() ?? "offline"}`)}
      mark={only !== undefined && <StatusEmoji userId={only} />}
      sign={
        <span class="sign">
          <Show when={only !== undefined} fallback={<Icon name={userIds.length === 0 ? "user" : "people"} />}>
            <span class="dot" data-presence={presence()} />
          </Show>
        </span>
      }
    />
  );
}

function peopleOf(key: string): number[] {
  return key === "" ? [] : key.split(",").map(Number);
}

function isOpen(userIds: readonly number[]): boolean {
  const place = currentPlace();
  if (place?.kind !== "direct") return false;
  const ids = userIds.length > 0 ? userIds : [state.model.viewer.id];
  return [...place.userIds].sort((a, b) => a - b).join() === ids.join();
}
