import type { UserId } from "../../../api/ids.ts";
import { queuesOf } from "./organization-queues.ts";
import type { AudienceRule } from "./queue-parts.ts";

/** The audiences that need nothing from any feature. */
export const plainAudiences: readonly AudienceRule[] = [
  {
    to: "everyone",
    queues: (state) => queuesOf(state).byId.values(),
    reader: async () => () => true,
  },
  {
    to: "nobody",
    queues: () => [],
    reader: async () => () => false,
  },
  {
    to: "users",
    *queues(state, entry) {
      for (const userId of entry.audience.userIds as UserId[]) yield* queuesOf(state).ofUser(userId);
    },
    reader: async (_state, _tx, queue) => (entry) =>
      (entry.audience.userIds as UserId[]).includes(queue.userId),
  },
];
