import { rareRawVariant, rawVariant } from "../../../platform/queues/event-variant.ts";
import type { EventSerializer } from "../../../platform/queues/queue-parts.ts";

/**
 * Writes stream events. Who hears them is decided by their audience; but people can get to know of several channels at
 * once, and to clients without the `archived_channels` capability the archived ones among them don't exist (spec E20).
 */
export const channelSerializer: EventSerializer = {
  type: "stream",
  serialize(_state, entry, queue) {
    const { payload } = entry;
    const whole = () => rawVariant(entry, 0, () => payload);
    if (payload.op !== "create" || queue.can("archived_channels")) return whole();
    const all = payload.streams as { is_archived: boolean }[];
    const streams = all.filter((channel) => !channel.is_archived);
    if (streams.length === all.length) return whole();
    return streams.length === 0
      ? undefined
      : rareRawVariant(entry, "in use", () => ({ ...payload, streams }));
  },
};
