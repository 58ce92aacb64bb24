import type { MessageId, OrganizationId, RecipientId, UserId } from "../../../api/ids.ts";
import { type ClaimedUpload, claimedUploads } from "../../content/uploads/grouped-links.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { FoundRow } from "../../platform/log/grouped-change.ts";
import type { FoundMessage } from "../access.ts";
import { askedColumns, askedJoins } from "../query/fetch.ts";

/** An upload that a new message is to link. */
export interface AskedClaim {
  /** The place of the request in its group. */
  number: number;
  /** Whose message it is. */
  userId: UserId;
  uploadId: number;
  /** A message that opens the upload to them; null for their own upload. */
  messageId: MessageId | null;
}

/** A locked upload, with the message that opens it if that still links it. */
export type FoundClaim = FoundRow & ClaimedUpload & Opening;

type Opening = { messageId: MessageId | null } & {
  [K in keyof Omit<FoundMessage, "id">]: FoundMessage[K] | null;
} & { recipientId: RecipientId | null };

/** The uploads that a group of messages claims, after their locks. Those that are gone are left out. */
export function findClaims(organizationId: OrganizationId, asked: readonly AskedClaim[]): Sql {
  return prepare(sql`
    with claim as materialized (
      select * from unnest(${asked.map(({ number }) => number)}::int[], ${asked.map(({ userId }) => userId)}::bigint[],
        ${asked.map(({ uploadId }) => uploadId)}::bigint[], ${asked.map(({ messageId }) => messageId)}::bigint[])
        as claim (number, user_id, upload_id, message_id)
    )
    select asked.number, upload.*, space."spaceUsed", opening.id as "messageId", opening."recipientId",
      opening."userIds", opening."wasReceived"
    from claim asked ${claimedUploads(organizationId)}
    left join lateral (
      select ${askedColumns}
      from (
        select asked.user_id, l.message_id as id from message_uploads l
        where l.organization_id = ${organizationId} and l.upload_id = asked.upload_id
          and l.message_id = asked.message_id
        offset 0
      ) asked ${askedJoins(organizationId)}
    ) opening on asked.message_id is not null
    order by asked.number, upload.id`);
}
