import type { OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { type TopicPolicy, topicPolicies, type UserTopic } from "./policy.ts";
import {
  listPoliciesOfTopic,
  listPoliciesOfTopics,
  listPoliciesOfUsers,
  ownTopicPolicies,
  type TopicPolicyRow,
} from "./store.ts";

/** How many policies are kept in memory. Beyond this number all are dropped, and read again when needed. */
const MAX_KEPT = 500_000;

export type PoliciesByTopic = ReadonlyMap<TopicId, TopicPolicy>;

/**
 * The policies of people whose policies were needed since the node started. So their messages need no query
 * to find out that no policy changes (spec E1 `automatic_new_visibility_policy`). Like all memory it may be a
 * moment behind the log, so a decision made here is compared with the row before it is written.
 */
export class UserTopics {
  readonly #ofUser = new Map<UserId, Map<TopicId, TopicPolicy>>();
  #count = 0;
  /** How many patches were applied. */
  #version = 0;

  /** undefined: not in memory, see `load`. */
  of(userId: UserId): PoliciesByTopic | undefined {
    return this.#ofUser.get(userId);
  }

  async load(
    state: OrganizationState,
    userIds: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, PoliciesByTopic>> {
    const before = this.#version;
    const found = new Map(userIds.map((userId) => [userId, new Map<TopicId, TopicPolicy>()]));
    for (const row of await listPoliciesOfUsers(state.database, state.organizationId, userIds)) {
      found.get(row.userId)?.set(row.topicId, row.policy);
    }
    // The rows that were read may lack a change that was applied meanwhile.
    if (this.#version === before) for (const [userId, policies] of found) this.#keep(userId, policies);
    return found;
  }

  apply(patch: UserTopicsPatch): void {
    this.#version++;
    for (const { userId, topicId, policy } of patch) {
      const policies = this.#ofUser.get(userId);
      if (!policies) continue;
      const before = policies.size;
      if (policy === topicPolicies.none) policies.delete(topicId);
      else policies.set(topicId, policy);
      this.#count += policies.size - before;
    }
  }

  #keep(userId: UserId, policies: Map<TopicId, TopicPolicy>): void {
    if (this.#ofUser.has(userId)) return;
    if (this.#count > MAX_KEPT) {
      this.#ofUser.clear();
      this.#count = 0;
    }
    this.#ofUser.set(userId, policies);
    this.#count += policies.size + 1;
  }
}

/** The policies for one topic, for too many people to keep all of their policies in memory. */
export async function findPoliciesOfTopic(
  state: OrganizationState,
  topicId: TopicId,
): Promise<ReadonlyMap<UserId, TopicPolicy>> {
  const rows = await listPoliciesOfTopic(state.database, state.organizationId, topicId);
  return new Map(rows.map(({ userId, policy }) => [userId, policy]));
}

/** The policies of everybody, or of one person, for several topics. */
export function findPoliciesOfTopics(
  state: OrganizationState,
  tx: Queryable,
  topicIds: readonly TopicId[],
  userId?: UserId,
): Promise<TopicPolicyRow[]> {
  return listPoliciesOfTopics(tx, state.organizationId, topicIds, userId);
}

/** The people who follow a topic, as the change leaves it. */
export async function findFollowers(tx: Change, topicId: TopicId): Promise<UserId[]> {
  const rows = await listPoliciesOfTopic(tx, tx.state.organizationId, topicId);
  return rows.filter(({ policy }) => policy === topicPolicies.followed).map(({ userId }) => userId);
}

/** The topics that a person has a policy for, also in channels that they can't see at present. */
export function listUserTopics(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<UserTopic[]> {
  return ownTopicPolicies.list(tx, organizationId, userId);
}

/** State patch. */
export type UserTopicsPatch = readonly { userId: UserId; topicId: TopicId; policy: TopicPolicy }[];

export const userTopics: Projection<UserTopics, UserTopicsPatch> = {
  name: "user_topics",
  isAdvisory: true,
  load: async () => new UserTopics(),
  apply(value, patch) {
    value.apply(patch);
  },
};
