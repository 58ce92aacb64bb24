import { getMessages } from "../../api/messages/messages.ts";
import type { CallOptions, Connection } from "../connection.ts";
import type { QueuedEvent } from "../contract.ts";
import type { Message, Messages } from "../model/messages.ts";
import { type Narrow, narrowParameter } from "../narrow.ts";
import { bringUpToDate } from "./message-requests.ts";
import type { Match, Page } from "./message-window.ts";

export interface PageRequest {
  /** A message, the viewer's first unread one, the newest, or the first one since a moment. */
  anchor: number | "first_unread" | "newest" | { sentAfter: Date };
  before: number;
  after: number;
}

export type PageReply = Awaited<ReturnType<typeof askForPage>>;

/** Messages around the anchor, as the server has them. */
export function askForPage(
  connection: Connection,
  narrow: Narrow,
  { anchor, before, after }: PageRequest,
  options?: CallOptions,
) {
  const parameters = {
    ...(typeof anchor === "object"
      ? { anchor: "date", anchor_date: anchor.sentAfter.toISOString() }
      : { anchor: String(anchor) }),
    num_before: before,
    num_after: after,
    narrow: narrowParameter(narrow),
    client_gravatar: false,
    apply_markdown: true,
    allow_empty_topic_name: true,
  };
  return connection.call(getMessages, parameters, options);
}

export interface FetchedPage extends Page {
  /** The anchor as an id. */
  anchor: number;
  messages: ReadonlyMap<number, Message>;
}

/**
 * The page as it is after the events since it was asked for. `asked`: the anchor of the request. The answer
 * of a search that ended early has another one, up to which it looked.
 */
export function readPage(
  reply: PageReply,
  since: readonly QueuedEvent[],
  asked?: PageRequest["anchor"],
): FetchedPage {
  const { byId } = bringUpToDate(reply.messages as unknown as Parameters<Messages["add"]>[0], since);
  const matches = new Map<number, Match>();
  for (const { id, content, subject, match_content, match_subject } of reply.messages) {
    if (match_content === undefined || match_subject === undefined) continue;
    matches.set(id, { content, markedContent: match_content, topic: subject, markedTopic: match_subject });
  }
  const { searched_from, searched_to } = reply as { searched_from?: number; searched_to?: number };
  return {
    ...{ matches, messages: byId, ids: [...byId.keys()] },
    foundOldest: (reply as { found_oldest?: boolean }).found_oldest ?? false,
    foundNewest: (reply as { found_newest?: boolean }).found_newest ?? false,
    anchor: typeof asked === "number" ? asked : ((reply as { anchor?: number }).anchor ?? 0),
    ...(searched_from !== undefined && { searchedFrom: searched_from }),
    ...(searched_to !== undefined && { searchedTo: searched_to }),
  };
}
