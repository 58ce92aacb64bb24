import { getMessages } from "../../api/messages.ts";
import type { CallOptions, Connection } from "../connection.ts";
import type { Messages } from "../model/messages.ts";
import { type Narrow, narrowParameter } from "../narrow.ts";
import type { Page } from "./message-window.ts";

export interface PageRequest {
  /** A message, the viewer's first unread one, or the newest. */
  anchor: number | "first_unread" | "newest";
  before: number;
  after: number;
}

/** Fetches messages around the anchor into the model. Gives their ids, and the anchor as an id. */
export async function fetchPage(
  connection: Connection,
  messages: () => Messages,
  narrow: Narrow,
  { anchor, before, after }: PageRequest,
  options?: CallOptions,
): Promise<Page & { anchor: number }> {
  const parameters = {
    anchor: String(anchor),
    num_before: before,
    num_after: after,
    narrow: narrowParameter(narrow),
    client_gravatar: false,
    apply_markdown: true,
    allow_empty_topic_name: true,
  };
  const reply = await connection.call(getMessages, parameters as never, options);
  messages().add(reply.messages as unknown as Parameters<Messages["add"]>[0]);
  return {
    ids: reply.messages.map(({ id }) => id),
    foundOldest: (reply as { found_oldest?: boolean }).found_oldest ?? false,
    foundNewest: (reply as { found_newest?: boolean }).found_newest ?? false,
    anchor: (reply as { anchor?: number }).anchor ?? 0,
  };
}
