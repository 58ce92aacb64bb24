/** The menus of the views in the list. They are fetched when one is first opened. */
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { go } from "../shared/routing/route.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { openMenu } from "../ui/menus.tsx";
import { reportFailure } from "../ui/notice.ts";
import { openOverlay } from "../ui/overlay.ts";
import { moveView, setPinned } from "./change-views.ts";
import { type ListedView, listViews } from "./view-list.ts";

const ArrangeViews = lazyPart(async () => (await import("./arrange-views.tsx")).ArrangeViews);
const arrange = () => openOverlay((close) => <ArrangeViews onClose={close} />);

/** All views that are not in the list. */
export function openMore(anchor: Element, all: readonly ListedView[]): void {
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

/** What can be done with a view of the list. */
export function openViewMenu(anchor: Element, view: ListedView): void {
  openMenu(t("sidebar.actions", { name: view.name }), anchor, itemsOf(view));
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
