/**
 * Changes that somebody asked for. The viewer may have been authenticated some time before the change begins, so the work
 * gets them as they are when it runs: `tx.viewer`.
 */
import { type Change, runContentChange, runStateChange } from "../../platform/log/change.ts";
import { currentViewer } from "./current-viewer.ts";
import type { Viewer } from "./viewer.ts";

/** A change with the account that makes it, in its present role. */
export interface ViewerChange extends Change {
  readonly viewer: Viewer;
}

/**
 * Changes who may do what: see `runStateChange`. Throws ACCOUNT_DEACTIVATED for a viewer whose account has ended meanwhile.
 */
export function changeState<T>(viewer: Viewer, work: (tx: ViewerChange) => Promise<T>): Promise<T> {
  return runStateChange(viewer.state, (tx) => work(withViewer(tx, viewer)));
}

/** Changes content: see `runContentChange`. Throws ACCOUNT_DEACTIVATED for a viewer whose account has ended meanwhile. */
export function changeContent<T>(viewer: Viewer, work: (tx: ViewerChange) => Promise<T>): Promise<T> {
  return runContentChange(viewer.state, (tx) => work(withViewer(tx, viewer)));
}

/** The viewer of a change, for hooks; undefined when no account asked for it (a job, the command line). */
export function viewerOf(tx: Change): Viewer | undefined {
  return (tx as Partial<ViewerChange>).viewer;
}

function withViewer(tx: Change, viewer: Viewer): ViewerChange {
  return Object.assign(tx, { viewer: currentViewer(viewer) });
}
