import type { MessageId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { findReadableRanges, NO_LIMIT, type Reader } from "./readable/readable-ranges.ts";
import { cameUnread, type MessageQuery, rangeTable, scan } from "./scan.ts";

/** The ids of a sender's messages that the reader has not read, ascending. */
export async function listUnreadFrom(reader: Reader, tx: Queryable, senderId: UserId): Promise<MessageId[]> {
  const { state, user } = reader;
  const everywhere = { channels: undefined, conversations: undefined, withHistory: true };
  const cameAs = cameUnread(reader);
  const { ranges: all } = await findReadableRanges(reader, tx, everywhere);
  const ranges = all.filter(({ unreadAfter }) => unreadAfter !== null);
  if (ranges.length === 0) return [];
  const search: MessageQuery = {
    organizationId: state.organizationId,
    userId: user?.id,
    cameUnread: cameAs,
    ranges: ranges,
    topicId: undefined,
    conditions: [sql`m.sender_id = ${senderId}`],
    path: { by: "unread" },
  };
  const found = scan(search, { order: "asc", after: 0, before: NO_LIMIT, limit: NO_LIMIT });
  const rows = await tx.query<{ id: MessageId }>(sql`with ${rangeTable(search)} ${found}`);
  return rows.map(({ id }) => id);
}
