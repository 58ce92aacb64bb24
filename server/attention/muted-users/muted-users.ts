import type { UserId } from "../../../api/ids.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { listMutedUsers } from "./store.ts";

/** The people whom each user has muted. */
export class MutedUsers {
  readonly #muters = new Map<UserId, Set<UserId>>();
  readonly #ever = new Set<UserId>();

  /** The users who have muted this person; undefined if nobody has. */
  mutersOf(userId: UserId): ReadonlySet<UserId> | undefined {
    return this.#muters.get(userId);
  }

  /** Whether messages may exist that were read for this person when they arrived. */
  hasEverMuted(userId: UserId): boolean {
    return this.#ever.has(userId);
  }

  set({ userId, mutedUserId, isMuted }: MutedUserPatch): void {
    this.#ever.add(userId);
    const muters = this.#muters.get(mutedUserId) ?? new Set();
    if (isMuted) muters.add(userId);
    else muters.delete(userId);
    if (muters.size > 0) this.#muters.set(mutedUserId, muters);
    else this.#muters.delete(mutedUserId);
  }
}

/** State patch. */
export interface MutedUserPatch {
  userId: UserId;
  mutedUserId: UserId;
  isMuted: boolean;
}

export const mutedUsers: Projection<MutedUsers, MutedUserPatch> = {
  name: "muted_users",
  async load(tx, organizationId) {
    const value = new MutedUsers();
    for (const { userId, mutedUserId, hasEnded } of await listMutedUsers(tx, organizationId)) {
      value.set({ userId, mutedUserId, isMuted: !hasEnded });
    }
    return value;
  },
  apply(value, patch) {
    value.set(patch);
  },
};

export function presentMutedUsers(muted: readonly { id: UserId; mutedAt: Date }[]) {
  return muted.map(({ id, mutedAt }) => ({ id, timestamp: Math.floor(mutedAt.getTime() / 1000) }));
}
