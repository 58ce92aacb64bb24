import type { ListedMessage } from "../../../api/messages/messages.ts";
import { named, oneLine, quoted, timeOf } from "./plain-text.ts";

/** How many people of a direct conversation are named. It may have more. */
const MAX_NAMES = 10;

/** One message: a line about it, then its text. `place`: whether to say where it is. */
export function messageText(
  message: ListedMessage,
  baseUrl: string,
  { place, text = message.content }: { place: boolean; text?: string },
): string {
  const { id, sender_full_name, sender_id, timestamp, last_edit_timestamp } = message;
  const facts = [
    `[${id}] ${named(sender_full_name)} (user ${sender_id})`,
    timeOf(timestamp),
    ...(last_edit_timestamp === undefined ? [] : ["edited"]),
    ...(place ? [placeOf(message)] : []),
    ...reactionsOf(message),
    messageLink(baseUrl, id),
  ];
  return `${facts.join(", ")}\n${quoted(text)}`;
}

export function messageLink(baseUrl: string, id: number): string {
  return `${baseUrl}/#narrow/id/${id}`;
}

function placeOf({ display_recipient: recipient, stream_id, subject }: ListedMessage): string {
  if (typeof recipient === "string")
    return `in channel ${named(recipient)} (${stream_id}), topic ${named(subject)}`;
  const names = recipient.slice(0, MAX_NAMES).map(({ full_name, id }) => `${named(full_name)} (user ${id})`);
  const more = recipient.length > MAX_NAMES ? ` and ${recipient.length - MAX_NAMES} more` : "";
  return `direct message among ${names.join(", ")}${more}`;
}

function reactionsOf({ reactions }: ListedMessage): string[] {
  if (reactions.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { emoji_name: name } of reactions) counts.set(name, (counts.get(name) ?? 0) + 1);
  const all = [...counts].slice(0, MAX_NAMES).map(([name, count]) => `:${oneLine(name)}: ${count}`);
  return [`reactions ${all.join(" ")}`];
}
