import type { ErrorDeclaration } from "../../../api/error-declaration.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { viewAdded, viewRemoved, viewUpdated } from "../../../api/events/navigation-views.ts";
import { MAX_VIEW_FRAGMENT_LENGTH, MAX_VIEW_NAME_LENGTH, MAX_VIEWS } from "../../../api/limits.ts";
import { builtInViews } from "../../../api/personal/navigation-views.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { lockOwnLists } from "../../people/viewer/own-lists.ts";
import { parseOwnText } from "../../people/viewer/own-text.ts";
import { toUsers } from "../../platform/log/log-entry.ts";
import { presentView } from "./present.ts";
import { deleteView, insertView, type NavigationView, ownViews, updateView } from "./store.ts";

/**
 * Adds a view of the viewer, whose clients get an event. Throws for a name of a built-in view, for a missing
 * name of another view, and for a fragment or name that another view has.
 */
export async function addNavigationView(
  tx: ViewerChange,
  request: { fragment: string; isPinned: boolean; name: string | undefined },
): Promise<void> {
  const { organizationId } = tx.state;
  const { id: userId } = tx.viewer.user;
  const fragment = parseFragment(request.fragment);
  const name = request.name === undefined ? null : parseName(request.name);
  const isBuiltIn = builtInViews.includes(fragment);
  if (isBuiltIn && name !== null) throw new ApiError(errors.builtInViewName);
  if (!isBuiltIn && name === null) throw new ApiError(errors.customViewName);
  const own = await lockViews(tx);
  if (own.some((each) => each.fragment === fragment)) throw new ApiError(errors.viewAlreadyExists);
  checkIsFree(own, name);
  if (own.length >= MAX_VIEWS) {
    throw new ApiError(errors.personalLimit, { what: "navigation views", limit: MAX_VIEWS });
  }
  const view = { fragment, isPinned: request.isPinned, name };
  await insertView(tx, organizationId, userId, view);
  tx.append(viewAdded, { navigation_view: presentView(view) }, toUsers([userId]));
}

/**
 * Changes the given fields of a view of the viewer (spec E7). The viewer's clients get an event with what
 * differs.
 */
export async function updateNavigationView(
  tx: ViewerChange,
  text: string,
  request: { isPinned: boolean | undefined; name: string | undefined },
): Promise<void> {
  const { id: userId } = tx.viewer.user;
  const fragment = parseFragment(text);
  const name = request.name === undefined ? undefined : parseName(request.name);
  if (name !== undefined && builtInViews.includes(fragment)) throw new ApiError(errors.builtInViewName);
  const own = await lockViews(tx);
  const before = viewAmong(own, fragment, errors.viewNotFound);
  const after = { ...before, isPinned: request.isPinned ?? before.isPinned, name: name ?? before.name };
  checkIsFree(
    own.filter((view) => view !== before),
    after.name,
  );
  const data = {
    ...(after.isPinned !== before.isPinned && { is_pinned: after.isPinned }),
    ...(after.name !== before.name && after.name !== null && { name: after.name }),
  };
  if (Object.keys(data).length === 0) return;
  await updateView(tx, tx.state.organizationId, userId, after);
  tx.append(viewUpdated, { fragment, data }, toUsers([userId]));
}

/** Removes a view of the viewer, whose clients get an event (spec E18). */
export async function removeNavigationView(tx: ViewerChange, text: string): Promise<void> {
  const { id: userId } = tx.viewer.user;
  const { fragment } = viewAmong(await lockViews(tx), parseFragment(text), errors.viewDoesNotExist);
  await deleteView(tx, tx.state.organizationId, userId, fragment);
  tx.append(viewRemoved, { fragment }, toUsers([userId]));
}

/** The viewer's views, which don't change otherwise until the transaction ends. */
async function lockViews(tx: ViewerChange): Promise<NavigationView[]> {
  const { id: userId } = tx.viewer.user;
  await lockOwnLists(tx, userId);
  return ownViews.list(tx, tx.state.organizationId, userId);
}

/** The two endpoints that look for a view answer with different codes (spec E7, E18). */
function viewAmong(
  own: readonly NavigationView[],
  fragment: string,
  missing: ErrorDeclaration,
): NavigationView {
  const view = own.find((each) => each.fragment === fragment);
  if (!view) throw new ApiError(missing);
  return view;
}

function checkIsFree(others: readonly NavigationView[], name: string | null): void {
  if (name !== null && others.some((view) => view.name === name)) {
    throw new ApiError(errors.viewAlreadyExists);
  }
}

const parseFragment = (text: string) => parseOwnText("fragment", text, MAX_VIEW_FRAGMENT_LENGTH);
const parseName = (text: string) => parseOwnText("name", text, MAX_VIEW_NAME_LENGTH);
