import type { MessageId } from "../../../../api/ids.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { Live } from "../../../platform/log/organization-state.ts";

/** The organization's newest message, for callers that only measure how far the log has come; undefined before the first. */
export async function newestMessageId(live: Live): Promise<MessageId | undefined> {
  const [row] = await live.database.query<{ id: MessageId }>(sql`
    select id from messages where organization_id = ${live.organizationId} order by id desc limit 1`);
  return row?.id;
}
