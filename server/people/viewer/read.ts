import type { Queryable } from "../../platform/db/database.ts";
import type { ReadLane } from "../../platform/db/lanes.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { runRead } from "../../platform/log/read.ts";
import { currentViewer } from "./current-viewer.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Reads what a viewer may see, in one snapshot: see `runRead`. Access is to be decided inside of `read`, for
 * the viewer that it gets: the account as of now. undefined: a spectator. Throws `accountDeactivated` for a
 * viewer whose account was deactivated meanwhile.
 */
export function readContent<T, V extends Viewer | undefined>(
  state: OrganizationState,
  viewer: V,
  read: (tx: Queryable, viewer: V) => Promise<T>,
  lane?: ReadLane,
): Promise<T> {
  return runRead(state, async (tx) => read(tx, (viewer && currentViewer(viewer)) as V), lane);
}
