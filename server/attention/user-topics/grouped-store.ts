import type { OrganizationId, TopicId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { lockClasses, lockObject } from "../../platform/db/locks.ts";
import { prepare, type Sql, sql } from "../../platform/db/sql.ts";
import type { RowLocks } from "../../platform/log/grouped-change.ts";
import type { PolicyWrite, TopicPolicy } from "./policy.ts";

/** How many locks the policies for a topic have, so that a move of a topic that many follow takes few. */
const LOCKS = 64;

/** The number of the lock of a person's policy for a topic. */
export function policyLock(topicId: number, userId: number): number {
  return lockObject(topicId * LOCKS + (userId % LOCKS));
}

/** LOCK: waits for these people's policies for the topics, in one order, and holds them to the commit. */
export async function lockTopicPolicies(
  tx: Queryable,
  topicIds: readonly TopicId[],
  userIds: readonly UserId[],
): Promise<void> {
  const objects = topicIds.flatMap((topicId) => userIds.map((userId) => policyLock(topicId, userId)));
  await tx.query(
    prepare(sql`
      select pg_advisory_xact_lock(${lockClasses.topicPolicies}::int, object) from (
        select distinct object from unnest(${objects}::int[]) as object order by object offset 0
      ) in_order`),
  );
}

/** The policies that a group of changes writes, by the numbers of their locks. */
export const policyLockRows: RowLocks = {
  statement(_, rows, waits) {
    // LOCK: as `lockTopicPolicies`. Without `waits`, what others hold is left out.
    const isHeld = waits
      ? sql`pg_advisory_xact_lock(${lockClasses.topicPolicies}::int, id) is not null`
      : sql`pg_try_advisory_xact_lock(${lockClasses.topicPolicies}::int, id)`;
    return prepare(sql`
      select id from (
        select distinct id from unnest(${rows.map(({ id }) => id)}::int[]) as id order by id offset 0
      ) in_order
      where ${isHeld}`);
  },
};

/** A person's policy for a topic. null: they have none. */
export interface HeldPolicy {
  id: TopicId;
  userId: UserId;
  policy: TopicPolicy | null;
}

/**
 * The policies of people, named by their modes, for topics. Gives `HeldPolicy`s. It comes after
 * `policyLockRows`: whose lock is held stays as it is, also if it is not there.
 */
export const policyRows: RowLocks = {
  statement(organizationId, rows) {
    return prepare(sql`
      select asked.topic_id as id, asked.user_id as "userId", known.policy
      from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ mode }) => Number(mode))}::bigint[])
        as asked (topic_id, user_id)
      left join lateral (
        select policy from topic_policies
        where organization_id = ${organizationId} and user_id = asked.user_id and topic_id = asked.topic_id offset 0
      ) known on true`);
  },
};

/** Writes policies whose topics are locked, each once. None of them is `none`. */
export function writePolicies(organizationId: OrganizationId, writes: readonly PolicyWrite[]): Sql {
  return prepare(sql`
    insert into topic_policies (organization_id, user_id, topic_id, policy, updated_at)
    select ${organizationId}, write.user_id, write.topic_id, write.policy, write.at
    from unnest(${writes.map(({ userId }) => userId)}::bigint[], ${writes.map(({ topicId }) => topicId)}::bigint[],
      ${writes.map(({ policy }) => policy)}::smallint[], ${writes.map(({ at }) => at)}::timestamptz[])
      as write (user_id, topic_id, policy, at)
    order by write.user_id, write.topic_id
    on conflict (organization_id, user_id, topic_id) do update
    set policy = excluded.policy, updated_at = excluded.updated_at`);
}
