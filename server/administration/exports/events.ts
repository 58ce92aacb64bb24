import { exportsChanged } from "../../../api/events/exports.ts";
import type { UserId } from "../../../api/ids.ts";
import { MAX_EXPORTS_LISTED } from "../../../api/limits.ts";
import { roles } from "../../../api/roles.ts";
import { type User, users } from "../../people/user.ts";
import type { Keyring } from "../../platform/crypto/keyring.ts";
import type { Change } from "../../platform/log/change.ts";
import { type Audience, toUsers } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { rareVariant } from "../../platform/queues/event-variant.ts";
import { type EventSerializer, serializerOf } from "../../platform/queues/queue-parts.ts";
import { type LoggedExport, logged, presentExport } from "./present.ts";
import { listExports } from "./store.ts";

const exportsEntry = storedEvent<{ exports: LoggedExport[] }>()(exportsChanged);

/** Whether the account may know of exports, and fetch their files. */
export function mayExport(user: User | undefined): user is User {
  return user?.isActive === true && !user.isSystem && user.role <= roles.administrator;
}

/** Everybody who may know of exports. */
export function toExporters(state: OrganizationState): Audience {
  return toUsers([...state.get(users).all()].filter(mayExport).map(({ id }) => id));
}

/** Administrators get the list of exports as it is in the transaction. */
export async function announceExports(tx: Change): Promise<void> {
  const rows = await listExports(tx, tx.state.organizationId, MAX_EXPORTS_LISTED);
  tx.append(exportsEntry, { exports: rows.map(logged) }, toExporters(tx.state));
}

/**
 * Each administrator gets links of their own, in queues that an API key has registered. They end with that
 * key. Somebody who is no longer an administrator gets nothing. `siteOf`: the address of an organization,
 * since an event has no request.
 */
export function exportSerializer(
  keyring: Keyring,
  siteOf: (state: OrganizationState) => string,
): EventSerializer {
  return serializerOf(exportsEntry, (state, entry, { exports }, queue) => {
    const userId: UserId = queue.userId;
    if (!mayExport(state.get(users).byId.get(userId))) return undefined;
    const linkedTo = queue.isOfApiKey ? userId : undefined;
    return rareVariant(entry, linkedTo === undefined ? "in sessions" : `${userId}`, exportsChanged, () => {
      const place = { keyring, state, site: siteOf(state) };
      return { exports: exports.map((each) => presentExport(place, linkedTo, each)) };
    });
  });
}
