import type { GroupId } from "../../../api/ids.ts";
import type { EventPayload } from "../../platform/log/log-entry.ts";
import { rawVariant } from "../../platform/queues/event-variant.ts";
import type { EventSerializer } from "../../platform/queues/queue-parts.ts";

/** As it stands in the log: with what clients that don't know deactivated groups get instead. */
export interface GroupUpdate extends EventPayload {
  type: "user_group";
  op: "update";
  group_id: GroupId;
  data: Record<string, unknown>;
  /** The whole group, when it is in use again. */
  reactivated?: Record<string, unknown>;
  /** What happens to a group that is and stays deactivated. */
  isDormant?: boolean;
}

const forAll = 0;
const forOthers = 1;

/** Writes group events: to clients without `include_deactivated_groups` a deactivated group does not exist. */
export const groupSerializer: EventSerializer = {
  type: "user_group",
  serialize(_state, entry, queue) {
    const { reactivated, isDormant, ...event } = entry.payload as GroupUpdate;
    if (queue.can("include_deactivated_groups")) return rawVariant(entry, forAll, () => event);
    if (isDormant) return undefined;
    const { type, group_id, data } = event;
    if (reactivated) return rawVariant(entry, forOthers, () => ({ type, op: "add", group: reactivated }));
    if (data?.deactivated) return rawVariant(entry, forOthers, () => ({ type, op: "remove", group_id }));
    return rawVariant(entry, forAll, () => event);
  },
};
