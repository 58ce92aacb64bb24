import type { MessageId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { term } from "./narrow/narrow.ts";
import { fetchPageIds } from "./page/page.ts";
import { NEWEST_ANCHOR } from "./page/page-request.ts";
import type { Reader } from "./readable/readable-ranges.ts";

/** The newest message of a topic that the reader can read, if there is any. */
export async function findNewestInTopic(
  reader: Reader,
  tx: Queryable,
  channelId: number,
  topic: string,
): Promise<MessageId | undefined> {
  const narrow = [term("channel", channelId), term("topic", topic)];
  const newest = { narrow, anchor: NEWEST_ANCHOR, includeAnchor: false, before: 1, after: 0 };
  const { ids } = await fetchPageIds(reader, tx, newest);
  return ids[0];
}
