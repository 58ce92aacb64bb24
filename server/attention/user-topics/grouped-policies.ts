/** As `raisePolicies`, for changes that share a transaction: policies that follow from people's actions. */
import type { OrganizationId, TopicId } from "../../../api/ids.ts";
import type { PlacedTopic } from "../../channels/recipients/topics.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { EventSink } from "../../platform/log/event-list.ts";
import type { HeldRowsOf, LockedRow } from "../../platform/log/grouped-change.ts";
import { announcePolicies, type PolicyChange } from "./events.ts";
import { type HeldPolicy, policyLock, policyLockRows, policyRows, writePolicies } from "./grouped-store.ts";
import { type PolicyWrite, type TopicPolicy, topicPolicies } from "./policy.ts";

/** A change that applies only while the person's policy is still `from`. */
export type RaisedPolicy = PolicyChange & { from: TopicPolicy };

interface Raised {
  topicId: TopicId;
  changes: readonly RaisedPolicy[];
}

/** The locks of changes of which each raises policies for one topic, or for none. */
export function policyLocks<R>(raisedBy: (request: R) => Raised | undefined) {
  const locks = (request: R): LockedRow[] => {
    const raised = raisedBy(request);
    return (raised?.changes ?? []).map(({ userId }) => {
      return { id: policyLock(raised?.topicId as number, userId), mode: "" };
    });
  };
  const policies = (request: R): LockedRow[] => {
    const raised = raisedBy(request);
    return (raised?.changes ?? []).map(({ userId }) => ({
      id: raised?.topicId as number,
      mode: String(userId),
    }));
  };
  return [
    { rows: policyLockRows, of: locks },
    { rows: policyRows, of: policies },
  ] as const;
}

/** The policies that the changes of a group read and raise. */
export class GroupedPolicies {
  readonly #byPlace = new Map<string, TopicPolicy>();

  constructor(held: HeldRowsOf) {
    for (const { id, userId, policy } of held(policyRows) as readonly HeldPolicy[]) {
      this.#byPlace.set(placeOf(id, userId), policy ?? topicPolicies.none);
    }
  }

  /** People whose policy is no longer `from` are skipped. Announces and returns what is to be written. */
  raise(events: EventSink, topic: PlacedTopic, changes: readonly RaisedPolicy[], at: Date): PolicyWrite[] {
    const raised = changes.filter(
      ({ userId, from }) => this.#byPlace.get(placeOf(topic.id, userId)) === from,
    );
    for (const { userId, policy } of raised) this.#byPlace.set(placeOf(topic.id, userId), policy);
    announcePolicies(events, topic, raised, at);
    return raised.map(({ userId, policy }) => ({ topicId: topic.id, userId, policy, at }));
  }
}

/** What `raise` returned, of all changes of a group. undefined: nothing. */
export function writeRaised(organizationId: OrganizationId, raised: readonly PolicyWrite[]): Sql | undefined {
  return raised.length === 0 ? undefined : writePolicies(organizationId, raised);
}

function placeOf(topicId: number, userId: number): string {
  return `${topicId} ${userId}`;
}
