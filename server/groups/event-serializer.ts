import type { FieldsOf } from "../../api/event.ts";
import { groupAdded, groupRemoved, groupUpdated } from "../../api/events/groups.ts";
import type { GroupRecord } from "../../api/groups/groups.ts";
import { storedEvent } from "../platform/log/stored-event.ts";
import { asAppended, variant } from "../platform/queues/event-variant.ts";
import { serializerOf } from "../platform/queues/queue-parts.ts";
import { knowsDeactivatedGroups } from "./audiences.ts";

/** An update as the log holds it. It includes the event for clients that don't know deactivated groups. */
export interface StoredGroupUpdate extends FieldsOf<typeof groupUpdated> {
  /** The whole group, when it is reactivated. */
  reactivated?: GroupRecord;
}

export const storedGroupUpdate = storedEvent<StoredGroupUpdate>()(groupUpdated);

const forAll = 0;
const forOthers = 1;

/**
 * Writes group events. Clients without `include_deactivated_groups` get `remove` for a deactivation and
 * `add` for a reactivation.
 */
export const groupSerializer = serializerOf(
  storedGroupUpdate,
  (_state, entry, { op, group_id, data, reactivated }, queue) => {
    if (op !== groupUpdated.op) return asAppended(entry);
    if (!knowsDeactivatedGroups(queue)) {
      if (reactivated) return variant(entry, forOthers, groupAdded, () => ({ group: reactivated }));
      if (data.deactivated) return variant(entry, forOthers, groupRemoved, () => ({ group_id }));
    }
    return variant(entry, forAll, groupUpdated, () => ({ group_id, data }));
  },
);
