import type { HandlerParameters } from "../../../../api/endpoint.ts";
import { ApiError, errors } from "../../../../api/errors.ts";
import { MAX_MESSAGES_A_CALL } from "../../../../api/limits.ts";
import type { getMessages } from "../../../../api/messages/messages.ts";
import type { Term } from "../narrow/narrow.ts";
import { parseAnchorDate } from "./date-anchor.ts";

/** The number that stands for the newest message. Clients compare with it. */
export const NEWEST_ANCHOR = 10_000_000_000_000_000;
export const OLDEST_ANCHOR = 0;

/** `since`: the first match that was sent at that time or later. */
export type Anchor = number | "first_unread" | { since: Date };

export interface PageRequest {
  narrow: readonly Term[];
  anchor: Anchor;
  includeAnchor: boolean;
  before: number;
  after: number;
}

type PageParameters = HandlerParameters<(typeof getMessages)["parameters"]>;

/**
 * Reads the page that a request asks for, without its narrow. If the request names messages by id, reads
 * those ids instead.
 */
export function parsePageRequest(
  params: PageParameters,
): Omit<PageRequest, "narrow"> | { ids: readonly number[] } {
  const { messageIds, numBefore, numAfter, includeAnchor = true } = params;
  if (messageIds) return { ids: parseIds(messageIds, params) };
  const isFirstUnread = params.useFirstUnreadAnchor === true;
  if (params.anchor === undefined && !isFirstUnread) throw new ApiError(errors.missingAnchor);
  if (numBefore === undefined) throw new ApiError(errors.missingParameter, { name: "num_before" });
  if (numAfter === undefined) throw new ApiError(errors.missingParameter, { name: "num_after" });
  if (numBefore + numAfter > MAX_MESSAGES_A_CALL)
    throw new ApiError(errors.tooManyMessages, { limit: MAX_MESSAGES_A_CALL });
  if (!includeAnchor && numBefore > 0 && numAfter > 0) throw new ApiError(errors.anchorExcluded);
  const anchor = isFirstUnread ? "first_unread" : parseAnchor(params.anchor as string, params.anchorDate);
  return { anchor, includeAnchor, before: numBefore, after: numAfter };
}

function parseIds(messageIds: readonly number[], params: PageParameters): readonly number[] {
  const others = { anchor: params.anchor, num_before: params.numBefore, num_after: params.numAfter };
  for (const [second, value] of Object.entries(others)) {
    if (value !== undefined)
      throw new ApiError(errors.incompatibleParameters, { first: "message_ids", second });
  }
  if (messageIds.length > MAX_MESSAGES_A_CALL)
    throw new ApiError(errors.tooManyMessages, { limit: MAX_MESSAGES_A_CALL });
  return messageIds;
}

/** Reads `newest`, `oldest`, `first_unread`, `date` or an id. Ids beyond either end count as that end. */
export function parseAnchor(text: string, date?: string): Anchor {
  if (text === "date") {
    if (date === undefined) throw new ApiError(errors.missingParameter, { name: "anchor_date" });
    return { since: parseAnchorDate(date) };
  }
  if (text === "newest") return NEWEST_ANCHOR;
  if (text === "oldest") return OLDEST_ANCHOR;
  if (text === "first_unread") return text;
  if (!/^-?\d{1,100}$/.test(text)) throw new ApiError(errors.invalidAnchor);
  return Math.min(Math.max(Number(text), OLDEST_ANCHOR), NEWEST_ANCHOR);
}
