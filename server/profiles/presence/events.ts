import { legacyPresenceChanged, presenceChanged } from "../../../api/events/presence.ts";
import { shownEmail } from "../../people/email/email-visibility.ts";
import { users } from "../../people/user.ts";
import { changeContent } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { variant } from "../../platform/queues/event-variant.ts";
import { serializerOf } from "../../platform/queues/queue-parts.ts";
import type { Presence } from "./presences.ts";
import { newestOf, presentPresence } from "./present.ts";

/**
 * In larger organizations nobody gets an event when people come back. Each person is back once in 200 s at
 * most, so an organization's log gets five entries a second at most (decision 20).
 */
export const MAX_ANNOUNCED_PEOPLE = 1000;

interface Returned extends Presence {
  email: string;
  /** In seconds. */
  serverTimestamp: number;
}

const returned = storedEvent<Returned>()(presenceChanged);

/** Sends an event to everybody: the viewer was offline, and is there again. */
export async function announceReturn(viewer: Viewer, presence: Presence, now: number): Promise<void> {
  if (countPeople(viewer.state) > MAX_ANNOUNCED_PEOPLE) return;
  const { userId, activeAt, connectedAt } = presence;
  await changeContent(viewer, async (tx) => {
    const email = shownEmail(tx.state, tx.viewer.user);
    tx.append(returned, { userId, activeAt, connectedAt, email, serverTimestamp: now / 1000 }, everyone);
  });
}

/** Queues get the form that they registered for. */
export const presenceSerializer = serializerOf(returned, (state, entry, fields, queue) => {
  if (queue.can("simplified_presence_events")) {
    return variant(entry, 1, presenceChanged, () => {
      const user = state.get(users).byId.get(fields.userId);
      return { presences: user ? { [fields.userId]: presentPresence(user, fields) } : {} };
    });
  }
  const { slimPresence } = queue.options;
  return variant(entry, slimPresence ? 2 : 3, legacyPresenceChanged, () => ({
    user_id: fields.userId,
    ...(slimPresence ? undefined : { email: fields.email }),
    server_timestamp: fields.serverTimestamp,
    presence: { website: { client: "website" as const, ...newestOf(fields), pushable: false as const } },
  }));
});

const counts = new WeakMap<OrganizationState, { version: number; people: number }>();

/** People who are not deactivated. They are counted once for each change of anybody. */
function countPeople(state: OrganizationState): number {
  const all = state.get(users);
  let count = counts.get(state);
  if (count?.version !== all.version) {
    count = { version: all.version, people: 0 };
    for (const { isActive, botType } of all.all()) if (isActive && botType === null) count.people++;
    counts.set(state, count);
  }
  return count.people;
}
