/**
 * Changes that a viewer asks for. The viewer's role may have changed since the request was authenticated, so
 * the work gets the viewer as of the time when it runs: `tx.viewer`.
 */
import { type Change, runContentChange, runStateChange } from "../../platform/log/change.ts";
import type { FoundRow, GroupedChange } from "../../platform/log/grouped-change.ts";
import { type GroupedStateChange, runGroupedStateChange } from "../../platform/log/grouped-state-change.ts";
import { runGroupedChange } from "../../platform/log/log-writer.ts";
import { currentViewer } from "./current-viewer.ts";
import type { Viewer } from "./viewer.ts";

/** A change with the account that makes it, in its present role. */
export interface ViewerChange extends Change {
  readonly viewer: Viewer;
}

/**
 * Changes who may do what: see `runStateChange`. Throws `accountDeactivated` for a viewer whose account was
 * deactivated meanwhile.
 */
export function changeState<T>(viewer: Viewer, work: (tx: ViewerChange) => Promise<T>): Promise<T> {
  return runStateChange(viewer.state, (tx) => work(withViewer(tx, viewer)));
}

/**
 * Changes content: see `runContentChange`. Throws `accountDeactivated` for a viewer whose account was
 * deactivated meanwhile.
 */
export function changeContent<T>(viewer: Viewer, work: (tx: ViewerChange) => Promise<T>): Promise<T> {
  return runContentChange(viewer.state, (tx) => work(withViewer(tx, viewer)));
}

/** Makes a small change of the viewer's together with those of others: see `runGroupedChange`. */
export function changeInGroup<R extends { viewer: Viewer }, F extends FoundRow, S, W, A>(
  kind: GroupedChange<R, F, S, W, A>,
  request: R,
): Promise<A> {
  const { state, user } = request.viewer;
  return runGroupedChange(state, kind, user.id, request);
}

/** The same for a change of who may do what: see `runGroupedStateChange`. */
export function changeStateInGroup<R extends { viewer: Viewer }, D, A>(
  kind: GroupedStateChange<R, D, A>,
  request: R,
): Promise<A> {
  const { state, user } = request.viewer;
  return runGroupedStateChange(state, kind, user.id, request);
}

/** The viewer of a change, for hooks; undefined when no account asked for it (a job, the command line). */
export function viewerOf(tx: Change): Viewer | undefined {
  return (tx as Partial<ViewerChange>).viewer;
}

function withViewer(tx: Change, viewer: Viewer): ViewerChange {
  return Object.assign(tx, { viewer: currentViewer(viewer) });
}
