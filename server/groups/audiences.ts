import { type Audience, everyone } from "../platform/log/log-entry.ts";
import { queuesOf } from "../platform/queues/organization-queues.ts";
import type { Queue } from "../platform/queues/queue.ts";
import type { AudienceRule } from "../platform/queues/queue-parts.ts";
import type { Group } from "./group.ts";

const toClientsWithDeactivatedGroups: Audience = { to: "deactivated_group_clients" };

/**
 * Everyone whose client knows the group. For clients without `include_deactivated_groups` a deactivated
 * group does not exist, so they get no events about it.
 */
export function toClientsThatKnow(group: Pick<Group, "isActive"> | undefined): Audience {
  return group?.isActive === false ? toClientsWithDeactivatedGroups : everyone;
}

export const deactivatedGroupClients: AudienceRule = {
  to: toClientsWithDeactivatedGroups.to,
  *queues(state) {
    for (const queue of queuesOf(state).byId.values()) if (knowsDeactivatedGroups(queue)) yield queue;
  },
  reader: async (_state, _tx, queue) => () => knowsDeactivatedGroups(queue),
};

export function knowsDeactivatedGroups(queue: Queue): boolean {
  return queue.can("include_deactivated_groups");
}
