import { createMemo, For, Show } from "solid-js";
import { userSettings } from "../../api/people/user-settings.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { go } from "../shared/routing/route.ts";
import { mentionsView, starredView } from "../shared/routing/views.ts";
import { state } from "../shared/state/state.ts";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { openMenu } from "../ui/menus.tsx";
import { reportFailure } from "../ui/notice.ts";
import { openOverlay } from "../ui/overlay.ts";
import { fits, isFiltering } from "./filter.tsx";
import { Item } from "./item.tsx";
import { countAutomatic, isShown, type ListedView, listViews, moveView, setPinned } from "./view-list.ts";

const ArrangeViews = lazyPart(async () => (await import("./arrange-views.tsx")).ArrangeViews);
const arrange = () => openOverlay((close) => <ArrangeViews onClose={close} />);

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
            onClick={(event) => openMore(event.currentTarget, all())}
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
      onMenu={(anchor) =>
        openMenu(t("sidebar.actions", { name: props.view.name }), anchor, itemsOf(props.view))
      }
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

function openMore(anchor: Element, all: readonly ListedView[]): void {
  const hidden = all.filter(({ isPinned }) => !isPinned);
  const open = ({ fragment, name, icon }: ListedView): MenuItem => ({
    ...{ icon, label: name },
    run: () => go(`#${fragment}`),
  });
  openMenu(t("views.more"), anchor, [
    ...hidden.map(open),
    { icon: "settings", label: t("views.arrange"), run: arrange },
  ]);
}

function itemsOf(view: ListedView): MenuItem[] {
  const hide = () => void reportFailure(() => setPinned(view, !view.isPinned));
  const shown = listViews().filter(({ isPinned }) => isPinned);
  const at = shown.findIndex(({ fragment }) => fragment === view.fragment);
  const items: (MenuItem | false)[] = [
    !view.isAutomatic && {
      ...{ icon: view.isPinned ? "eyeOff" : "eye", label: t(view.isPinned ? "views.hide" : "views.show") },
      run: hide,
    },
    at > 0 && { icon: "up", label: t("views.up"), run: () => moveView(view, -1) },
    at >= 0 &&
      at < shown.length - 1 && { icon: "down", label: t("views.down"), run: () => moveView(view, 1) },
    { icon: "settings", label: t("views.arrange"), run: arrange },
  ];
  return items.filter((item) => item !== false);
}
