/** Whose uploads, and those in which channels, take the most storage. For owners and the operator alone. */
import { MAX_STORAGE_LISTED } from "../../../api/limits.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { listStorageOfChannels, listStorageOfPeople, type StorageShare } from "./store.ts";

export interface TopShares<Id extends number> {
  top: StorageShare<Id>[];
  others: { count: number; bytes: number };
}

export async function readStorage({ database, organizationId }: OrganizationState) {
  return database.transaction(
    async (tx) => ({
      people: await listStorageOfPeople(tx, organizationId),
      channels: await listStorageOfChannels(tx, organizationId),
    }),
    { lane: "background" },
  );
}

/** The largest of those that may be named. `all`: the largest first. */
export function topShares<Id extends number>(
  all: readonly StorageShare<Id>[],
  mayName: (id: Id) => boolean = () => true,
): TopShares<Id> {
  const top = all.filter(({ id }) => mayName(id)).slice(0, MAX_STORAGE_LISTED);
  const named = new Set(top.map(({ id }) => id));
  const rest = all.filter(({ id }) => !named.has(id));
  return { top, others: { count: rest.length, bytes: rest.reduce((sum, { bytes }) => sum + bytes, 0) } };
}
