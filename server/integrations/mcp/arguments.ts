/** Arguments that several tools take. */
import { Type } from "typebox";
import { getChannel, getChannelId } from "../../../api/channels/channels.ts";
import { InvalidArguments, type Session } from "./tool.ts";

export const channelArgument = Type.Union([Type.String({ maxLength: 100 }), Type.Integer()], {
  description: "The channel's name without #, or its number. list_channels has both.",
});

export const messageArgument = Type.Integer({
  minimum: 0,
  description: "The message's number, which stands in brackets where messages are shown.",
});

export const cursorArgument = Type.Optional(
  Type.String({ maxLength: 40, description: "For the next page: the cursor at the end of the page before." }),
);

export function limitArgument(most: number, usual: number, what: string) {
  return Type.Optional(
    Type.Integer({ minimum: 1, maximum: most, default: usual, description: `How many ${what} at most.` }),
  );
}

/** The channel's id and name, if the caller may see it. */
export async function findChannel(
  session: Session,
  channel: string | number,
): Promise<{ id: number; name: string }> {
  const id =
    typeof channel === "number" ? channel : (await session.call(getChannelId, { stream: channel })).stream_id;
  const { stream } = await session.call(getChannel, { stream_id: id });
  return { id, name: stream.name };
}

/** How many elements of a list earlier pages had. */
export function readOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, offset] = /^from:(\d{1,9})$/.exec(cursor) ?? [];
  if (offset === undefined) throw new InvalidArguments("cursor is not one that this tool gave.");
  return Number(offset);
}

/** A page of a list, and what to say at its end. */
export function pageOf<T>(
  all: readonly T[],
  cursor: string | undefined,
  limit: number,
): { page: readonly T[]; end: string } {
  const from = readOffset(cursor);
  const page = all.slice(from, from + limit);
  const next = from + page.length;
  const end = next < all.length ? `There are more: call again with cursor "from:${next}".` : "That is all.";
  return { page, end };
}
