import type { ChannelId, OrganizationId } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";

/** Whether a message in the channel has a topic with a name. Messages stand above channels, so their rows are read here. */
export async function hasNamedTopics(
  tx: Queryable,
  organizationId: OrganizationId,
  channelId: ChannelId,
): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(sql`
    select exists (
      select from topics t
      where t.organization_id = ${organizationId} and t.channel_id = ${channelId} and t.name <> '' and exists (
        select from messages m where m.organization_id = t.organization_id and m.topic_id = t.id)
    ) as found`);
  return row?.found === true;
}
