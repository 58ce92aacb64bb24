import { groupMembersRemoved } from "../../../api/events/groups.ts";
import type { Position, UserId } from "../../../api/ids.ts";
import { canAccessUserId, isLimitedGuest } from "../../people/access/user-access.ts";
import { users } from "../../people/user.ts";
import { type LogEntry, logEntry } from "../../platform/log/log-entry.ts";
import type { ReplayFilter } from "../../platform/queues/queue-parts.ts";
import { listAccessChanges } from "./store.ts";

/**
 * A guest's client has members of groups whom the guest may no longer know of. It must hear that they left a
 * group while they were known: what it gets when they become unknown names only the groups of that time.
 */
export const groupMembersReplayFilter: ReplayFilter = {
  types: [groupMembersRemoved.type],
  async filterFor(state, tx, { userId }, entries) {
    const guest = state.get(users).byId.get(userId as UserId);
    if (!guest || !isLimitedGuest(state, guest)) return (entry) => entry;
    const isKnown = (id: number) => canAccessUserId(state, guest, id);
    const doubtful = entries.filter((entry) => !removedBy(entry).every(isKnown));
    if (doubtful.length === 0) return (entry) => entry;
    const after = Math.min(...doubtful.map(({ position }) => position)) as Position;
    const changes = await listAccessChanges(tx, state.organizationId, guest.id, after);
    const wasKnown = (id: number, position: Position): boolean => {
      const next = changes.find((change) => change.userId === id && change.position > position);
      return next ? next.isLoss : isKnown(id);
    };
    return (entry) => {
      if (!doubtful.includes(entry)) return entry;
      const { position, payload, audience, statePatch } = entry;
      const ids = removedBy(entry).filter((id) => wasKnown(id, position));
      if (ids.length === 0) return undefined;
      // The reader filter would ask who is known now.
      return logEntry(
        position,
        { ...payload, user_ids: ids },
        { ...audience, isAboutAccess: true },
        statePatch,
      );
    };
  },
};

/**
 * The people whom an entry removes from a group. Entries about access name the right people already, so they
 * are left alone.
 */
function removedBy({ payload, audience }: LogEntry): readonly number[] {
  if (audience.isAboutAccess) return [];
  return payload.op === groupMembersRemoved.op ? (payload.user_ids as number[]) : [];
}
