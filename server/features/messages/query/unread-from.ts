import type { MessageId, UserId } from "../../../../api/ids.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { sql } from "../../../platform/db/sql.ts";
import { findSpans, NO_LIMIT, type Reader } from "./readable/readable-ranges.ts";
import { cameUnread, type Search, spanTable, walk } from "./scan.ts";

/** What somebody has sent and the reader has not read, ascending. */
export async function listUnreadFrom(reader: Reader, tx: Queryable, senderId: UserId): Promise<MessageId[]> {
  const { state, user } = reader;
  const everywhere = { channels: undefined, conversations: undefined, withHistory: true };
  const cameAs = cameUnread(reader);
  const { spans: all } = await findSpans(reader, tx, everywhere);
  const spans = all.filter(({ unreadAfter }) => unreadAfter !== null);
  if (spans.length === 0) return [];
  const search: Search = {
    organizationId: state.organizationId,
    userId: user?.id,
    cameUnread: cameAs,
    spans,
    topicId: undefined,
    conditions: [sql`m.sender_id = ${senderId}`],
    way: { by: "unread" },
  };
  const found = walk(search, { order: "asc", after: 0, before: NO_LIMIT, limit: NO_LIMIT });
  const rows = await tx.query<{ id: MessageId }>(sql`with ${spanTable(search)} ${found}`);
  return rows.map(({ id }) => id);
}
