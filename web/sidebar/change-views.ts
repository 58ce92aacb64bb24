/** What the menus and the dialog of the views change. */
import {
  addNavigationView,
  removeNavigationView,
  updateNavigationView,
} from "../../api/personal/navigation-views.ts";
import { state } from "../shared/state/state.ts";
import { keptOrder, type ListedView, listViews } from "./view-list.ts";

/** Past views that are not in the list, too, if it is one that is in the list. */
export function moveView(moved: ListedView, step: 1 | -1): void {
  const all = listViews();
  const beside = all.filter(({ isPinned }) => isPinned === moved.isPinned);
  const target = beside[beside.findIndex(({ fragment }) => fragment === moved.fragment) + step];
  if (!target) return;
  const fragments = all.map(({ fragment }) => fragment).filter((fragment) => fragment !== moved.fragment);
  fragments.splice(fragments.indexOf(target.fragment) + (step === 1 ? 1 : 0), 0, moved.fragment);
  keptOrder().keep(fragments);
}

/** These throw what the server says against it. */
export async function setPinned({ fragment }: ListedView, isPinned: boolean): Promise<void> {
  const parameters = { fragment, is_pinned: isPinned };
  const isStored = state.model.navigationViews.byFragment.has(fragment);
  await state.track(() =>
    isStored
      ? state.connection.call(updateNavigationView, parameters)
      : state.connection.call(addNavigationView, parameters),
  );
}

export async function addView(fragment: string, name: string): Promise<void> {
  const parameters = { fragment, name, is_pinned: true };
  await state.track(() => state.connection.call(addNavigationView, parameters));
}

export async function renameView({ fragment }: ListedView, name: string): Promise<void> {
  await state.track(() => state.connection.call(updateNavigationView, { fragment, name }));
}

export async function removeView({ fragment }: ListedView): Promise<void> {
  await state.track(() => state.connection.call(removeNavigationView, { fragment }));
}

/** The fragment of an address that was pasted, with or without what stands before the `#`. */
export function fragmentOf(address: string): string | undefined {
  const text = address.trim();
  const fragment = text.includes("#") ? text.slice(text.indexOf("#") + 1) : text;
  return fragment === "" ? undefined : fragment;
}
