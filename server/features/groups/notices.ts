import type { Change } from "../../platform/log/change.ts";
import type { User } from "../users/user.ts";
import type { Viewer } from "../users/viewer.ts";
import type { Group } from "./group.ts";

/**
 * Messages that tell people what happened to their groups. Messages stand above groups on the ladder, so whoever brings the
 * rooms together hands these in; they are posted within the change that they tell of.
 */
export interface GroupNotices {
  /** Tells people whom the viewer put into the group or took out of it, each in a direct message, unless they are too many. */
  membersChanged(
    tx: Change,
    viewer: Viewer,
    group: Group,
    people: { added: readonly User[]; removed: readonly User[] },
  ): Promise<void>;
}
