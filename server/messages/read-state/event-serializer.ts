import { topicDisplayName } from "../../../api/channels/topic-name.ts";
import type { FieldsOf } from "../../../api/event.ts";
import { flagAdded, flagRemoved } from "../../../api/events/flags.ts";
import type { MessageId, UserId } from "../../../api/ids.ts";
import type { Delivery, LogEntry } from "../../platform/log/log-entry.ts";
import { storedEvent, storedFields } from "../../platform/log/stored-event.ts";
import { asAppended, rareVariant, variant } from "../../platform/queues/event-variant.ts";
import type { Queue } from "../../platform/queues/queue.ts";
import { serializerOf } from "../../platform/queues/queue-parts.ts";
import { type OwnStars, storedOwnStars, type UnreadDetails } from "./events.ts";

/** Both ops share a type, but only this one has topics. */
const flagRemovedEntry = storedEvent<FieldsOf<typeof flagRemoved>>()(flagRemoved);

/**
 * Flag events go out unchanged, except for empty topics in them (spec Conventions 7), and for entries with
 * the stars of many people.
 */
export const flagSerializer = serializerOf(flagRemovedEntry, (_state, entry, fields, queue) => {
  const { message_details: details } = fields;
  const own = storedFields(storedOwnStars, entry.payload)?.own;
  if (own) return ownStars(entry, own, queue);
  if (!details || queue.can("empty_topic_name")) return asAppended(entry);
  return variant(entry, 1, flagRemoved, () => ({ ...fields, message_details: withDisplayNames(details) }));
});

/** An entry's people are looked up once for all queues that receive it. */
const known = new WeakMap<readonly OwnStars[], ReadonlyMap<UserId, readonly MessageId[]>>();

function ownStars(entry: LogEntry, own: readonly OwnStars[], queue: Queue): Delivery | undefined {
  const byUser = known.get(own) ?? new Map(own.map(({ userId, messageIds }) => [userId, messageIds]));
  known.set(own, byUser);
  const ids = byUser.get(queue.userId);
  if (!ids) return undefined;
  return rareVariant(entry, String(queue.userId), flagAdded, () => ({
    operation: "add" as const,
    flag: "starred",
    messages: [...ids],
    all: false,
  }));
}

function withDisplayNames(details: UnreadDetails): UnreadDetails {
  return Object.fromEntries(
    Object.entries(details).map(([id, detail]) => [
      id,
      detail.topic === undefined ? detail : { ...detail, topic: topicDisplayName(detail.topic) },
    ]),
  );
}
