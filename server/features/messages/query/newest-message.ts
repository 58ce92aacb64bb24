import type { MessageId } from "../../../../api/ids.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { OrganizationState } from "../../../platform/log/organization-state.ts";

/** The organization's newest message, for callers that only measure how far the log has come; undefined before the first. */
export async function newestMessageId(state: OrganizationState): Promise<MessageId | undefined> {
  const [row] = await state.database.query<{ id: MessageId }>(sql`
    select id from messages where organization_id = ${state.organizationId} order by id desc limit 1`);
  return row?.id;
}
