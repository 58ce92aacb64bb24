import { getAuditLog } from "../../../api/audit-log.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { type Route, routeFor } from "../../platform/http/handler.ts";
import { presentAuditEntry } from "./present.ts";
import { readAuditLog } from "./read.ts";

const DEFAULT_LIMIT = 50;

const route = routeFor<Caller>();

/**
 * `seesEmailOf`: whether the caller may see an account's email address. Accounts are in a layer above, since
 * their changes are recorded here.
 */
export function auditLogRoutes(seesEmailOf: (caller: Caller, userId: number) => boolean): readonly Route[] {
  return [
    route(getAuditLog, async ({ state, viewer, params: { limit = DEFAULT_LIMIT, ...filter } }) => {
      const { rows, isLast } = await readAuditLog(state, filter, limit);
      const seesEmail = (userId: number) => seesEmailOf(viewer, userId);
      return { entries: rows.map((row) => presentAuditEntry(row, seesEmail)), found_oldest: isLast };
    }),
  ];
}
