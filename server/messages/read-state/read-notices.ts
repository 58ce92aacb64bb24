import type { OrganizationId } from "../../../api/ids.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";
import { readOnArrival } from "./read-state.ts";

/**
 * A condition on a message: it is a notice that this person had read on arrival. Nearly all messages are not,
 * which a look at their facts tells.
 */
export function isReadNotice(organizationId: OrganizationId, message: Sql, userId: Sql): Sql {
  return sql`(${message}.facts & ${readOnArrival.noticeBit}::int <> 0 and not exists (
    select from message_flags exception where exception.organization_id = ${organizationId}
      and exception.user_id = ${userId} and exception.message_id = ${message}.id
      and exception.flags & ${readOnArrival.exceptionBit}::int <> 0))`;
}
