import type { OrganizationId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { listLags } from "./cursor-store.ts";

/** How far the index is behind. */
export interface SearchLag {
  /** Positions of logs that are not indexed. Most are messages, so it is at most this many messages. */
  total: number;
  /** Only those that are behind. */
  byOrganization: ReadonlyMap<OrganizationId, number>;
}

/** How far the index is behind, for all organizations. */
export async function readSearchLag(db: Queryable): Promise<SearchLag> {
  const lags = await listLags(db);
  return {
    total: lags.reduce((total, { positions }) => total + positions, 0),
    byOrganization: new Map(lags.map(({ organizationId, positions }) => [organizationId, positions])),
  };
}
