import { getAuditLog } from "../../../api/administration/audit-log.ts";
import { readAuditLog } from "../../organization/audit-log/read.ts";
import { seesEmailOf } from "../../people/access/access.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { presentAuditEntry } from "./present.ts";

const DEFAULT_LIMIT = 50;

export const auditLogRoutes: readonly Route[] = [
  route(getAuditLog, async ({ state, viewer, params: { limit = DEFAULT_LIMIT, ...filter } }) => {
    const { rows, isLast } = await readAuditLog(state, filter, limit);
    const seesEmail = (userId: number) => seesEmailOf(viewer, userId);
    return { entries: rows.map((row) => presentAuditEntry(row, seesEmail)), found_oldest: isLast };
  }),
];
