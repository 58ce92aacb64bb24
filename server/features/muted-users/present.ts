import type { UserId } from "../../../api/ids.ts";

export function presentMutedUsers(muted: readonly { id: UserId; mutedAt: Date }[]) {
  return muted.map(({ id, mutedAt }) => ({ id, timestamp: Math.floor(mutedAt.getTime() / 1000) }));
}
