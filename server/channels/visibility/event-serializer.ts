import type { FieldsOf } from "../../../api/event.ts";
import { channelCreated } from "../../../api/events/channels.ts";
import { storedEvent } from "../../platform/log/stored-event.ts";
import { asAppended, rareVariant } from "../../platform/queues/event-variant.ts";
import { serializerOf } from "../../platform/queues/queue-parts.ts";

/**
 * Writes stream events. The audience decides who gets them. But users can learn of several channels at
 * once, and for clients without `archived_channels` the archived ones among them don't exist (spec E20).
 */
export const channelSerializer = serializerOf(
  storedEvent<FieldsOf<typeof channelCreated>>()(channelCreated),
  (_state, entry, { op, streams: all }, queue) => {
    if (op !== channelCreated.op || queue.can("archived_channels")) return asAppended(entry);
    const streams = all.filter((channel) => !channel.is_archived);
    if (streams.length === all.length) return asAppended(entry);
    return streams.length === 0
      ? undefined
      : rareVariant(entry, "in use", channelCreated, () => ({ streams }));
  },
);
