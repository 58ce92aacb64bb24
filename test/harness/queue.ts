import type { Position, UserId } from "../../api/ids.ts";
import { Queue, type QueueOptions } from "../../server/platform/queues/queue.ts";

/** What a client asks of its event queue if it asks for nothing special. */
export function queueOptions(changes: Partial<QueueOptions> = {}): QueueOptions {
  return {
    eventTypes: null,
    narrow: [],
    allPublicStreams: false,
    applyMarkdown: false,
    clientGravatar: false,
    slimPresence: false,
    includeSubscribers: "false",
    capabilities: {},
    ...changes,
  };
}

/** A queue from the start of the log on, in memory only. */
export function makeQueue(id: string, userId: UserId, options: Partial<QueueOptions> = {}): Queue {
  return new Queue({
    id,
    userId,
    options: queueOptions(options),
    lifespanSeconds: 600,
    startedAt: 0 as Position,
    cursor: 0 as Position,
    isCold: false,
    isOurs: true,
    lastSeenAt: 0,
  });
}
