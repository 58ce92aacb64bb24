import { createMemo, For, Show } from "solid-js";
import { userSettings } from "../../api/people/user-settings.ts";
import { t } from "../i18n/t.ts";
import { mentionsView, starredView } from "../shared/routing/views.ts";
import { state } from "../shared/state/state.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { withPart } from "../ui/notice.ts";
import { fits, isFiltering } from "./filter.tsx";
import { Item } from "./item.tsx";
import { countAutomatic, isShown, type ListedView, listViews } from "./view-list.ts";

type Menus = typeof import("./view-menus.tsx");
const withMenus = (run: (menus: Menus) => void) => void withPart(() => import("./view-menus.tsx"), run);

/** The views of all conversations together, as the person has arranged them. */
export function Views() {
  const stored = live(["navigationViews", "scheduledMessages", "reminders", "generation"], () => ({}));
  const all = createMemo(() => {
    stored();
    return listViews();
  });
  const shown = createMemo(() =>
    all()
      .filter((view) => (isFiltering() ? fits(view.name) : view.isPinned || isShown(view)))
      .map(({ fragment }) => fragment),
  );
  const viewOf = (fragment: string) => all().find((view) => view.fragment === fragment);
  return (
    <ul class="views">
      <For each={shown()}>
        {(fragment) => <Show when={viewOf(fragment)}>{(view) => <ViewRow view={view()} />}</Show>}
      </For>
      <Show when={!isFiltering()}>
        <li>
          <button
            type="button"
            class="item more"
            tabindex={-1}
            aria-haspopup="menu"
            onClick={({ currentTarget }) => withMenus((menus) => menus.openMore(currentTarget, all()))}
          >
            <Icon name="more" />
            {t("views.more")}
          </button>
        </li>
      </Show>
    </ul>
  );
}

function ViewRow(props: { view: ListedView }) {
  const count = live(
    [
      ...["unreads", "subscriptions", "userTopics", "starred", "drafts", "settings"],
      ...["scheduledMessages", "reminders", "outbox", "connection", "generation"],
    ],
    () => countOf(props.view.fragment),
  );
  const isMentions = () => props.view.fragment === mentionsView.hash.slice(1);
  return (
    <Item
      link={`#${props.view.fragment}`}
      name={props.view.name}
      isUrgent={isMentions()}
      isQuiet={!isMentions() && props.view.fragment !== "inbox"}
      count={count()}
      isCurrent={isShown(props.view)}
      onMenu={(anchor) => withMenus((menus) => menus.openViewMenu(anchor, props.view))}
      sign={
        <span class="sign">
          <Icon name={props.view.icon} />
        </span>
      }
    />
  );
}

function countOf(fragment: string): number {
  const { unreads, starred, drafts, settings } = state.model;
  if (fragment === "inbox") return unreads.count;
  if (fragment === mentionsView.hash.slice(1)) return unreads.mentions.size;
  if (fragment === "drafts") return drafts.byId.size + state.outbox.unsent.length;
  const automatic = countAutomatic(fragment);
  if (automatic !== undefined) return automatic;
  if (fragment !== starredView.hash.slice(1)) return 0;
  return settings.get(userSettings.starredMessageCounts) ? starred.ids.size : 0;
}
