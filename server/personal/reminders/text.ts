/** What a reminder says. */
import type { ChannelId } from "../../../api/ids.ts";
import { channels } from "../../channels/channel.ts";
import { person, quote, topicLink } from "../../messages/model/markdown-text.ts";
import type { FetchedRow } from "../../messages/model/message.ts";
import { findKnownById } from "../../people/access/access.ts";
import type { User } from "../../people/user.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";

interface Parts {
  /** Empty if there is none. */
  note: string;
  /** Whether the message's text is quoted. */
  hasQuote?: boolean;
}

/** `row`: the message, if `reader` may read it. Without it nothing is said of the message. */
export function reminderText(
  state: OrganizationState,
  reader: User,
  row: FetchedRow | undefined,
  { note, hasQuote = false }: Parts,
): string {
  const what = row
    ? `You asked to be reminded of ${describe(state, reader, row)}.`
    : "You asked to be reminded of a message that you can no longer read, or that was deleted.";
  return [
    what,
    // The note comes before the quotation, which is cut off if all together is too long for a message.
    ...(note === "" ? [] : ["Your note:", quote(note)]),
    ...(row && hasQuote ? ["The message:", quote(row.content)] : []),
  ].join("\n\n");
}

/** With a link that leads to the message also when it has moved. */
function describe(state: OrganizationState, reader: User, row: FetchedRow): string {
  const sender = findKnownById(state, reader, row.senderId);
  const link = `[a message](/#narrow/id/${row.id})`;
  return `${link} by ${sender ? person(sender) : "somebody"}${placeOf(state, row)}`;
}

function placeOf(state: OrganizationState, row: FetchedRow): string {
  const channel = row.userIds ? undefined : state.get(channels).byId.get(row.recipientId as ChannelId);
  return channel ? ` in ${topicLink(channel, row.topic ?? "", row.id)}` : "";
}
