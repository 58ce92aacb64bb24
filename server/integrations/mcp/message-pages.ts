/** Pages of messages, as text that fits into one result. */
import type { CallerParameters } from "../../../api/endpoint.ts";
import { getMessages, type ListedMessage } from "../../../api/messages/messages.ts";
import { MAX_CHARACTERS } from "./plain-text.ts";
import { InvalidArguments, type Session } from "./tool.ts";

type GetMessages = CallerParameters<(typeof getMessages)["parameters"]>;
export type Narrow = NonNullable<GetMessages["narrow"]>;

export interface PageRequest {
  narrow: Narrow;
  limit: number;
  cursor: string | undefined;
  /** Begin here and go forward. By default: begin with the newest message and go back. */
  start: "oldest" | { since: string } | undefined;
  write(message: ListedMessage): string;
}

export interface MessagePage {
  /** The text of each message, oldest first. */
  texts: string[];
  isForward: boolean;
  /** undefined: there are no further messages. */
  cursor: string | undefined;
}

export async function fetchMessagePage(session: Session, request: PageRequest): Promise<MessagePage> {
  const { narrow, limit, write } = request;
  const { isForward, ...anchor } = anchorOf(request);
  const { messages, ...found } = await session.call(getMessages, {
    narrow,
    ...anchor,
    num_before: isForward ? 0 : limit,
    num_after: isForward ? limit : 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  const inOrder = isForward ? messages : messages.toReversed();
  // An anchor that is found comes in addition.
  const texts = fitting(inOrder.slice(0, limit).map(write));
  const last = inOrder[texts.length - 1];
  const hasAll = texts.length === messages.length;
  const isEnd = hasAll && (isForward ? found.found_newest : found.found_oldest);
  // A search for words may end early, even without any message.
  const searchedTo = hasAll ? (isForward ? found.searched_to : found.searched_from) : undefined;
  const next = searchedTo ?? last?.id;
  return {
    texts: isForward ? texts : texts.toReversed(),
    isForward,
    cursor: isEnd || next === undefined ? undefined : `${isForward ? "newer" : "older"}:${next}`,
  };
}

type AnchorParameters = Pick<GetMessages, "anchor" | "anchor_date" | "include_anchor">;

function anchorOf({ cursor, start }: PageRequest): AnchorParameters & { isForward: boolean } {
  if (cursor !== undefined) {
    const [, direction, id] = /^(older|newer):(\d{1,15})$/.exec(cursor) ?? [];
    if (id === undefined) throw new InvalidArguments("cursor is not one that this tool gave.");
    return { isForward: direction === "newer", anchor: id, include_anchor: false };
  }
  if (start === undefined) return { isForward: false, anchor: "newest" };
  if (start === "oldest") return { isForward: true, anchor: "oldest" };
  return { isForward: true, anchor: "date", anchor_date: start.since };
}

/** The first texts that fit into a result together, and at least one. */
function fitting(texts: readonly string[]): string[] {
  let length = 0;
  const end = texts.findIndex((text, index) => {
    length += text.length + 2;
    return index > 0 && length > MAX_CHARACTERS;
  });
  return texts.slice(0, end < 0 ? undefined : end);
}

/** The line under a page. */
export function endOf({ cursor, isForward }: MessagePage): string {
  const age = isForward ? "newer" : "older";
  if (cursor === undefined) return `There are no ${age} messages.`;
  return `There are ${age} messages: call again with cursor "${cursor}" and otherwise the same arguments.`;
}
