import type { UserId } from "../../../api/ids.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import type { Projection } from "../log/projection.ts";
import type { Queue } from "./queue.ts";

/** The event queues of one organization that this node has in memory. */
export class OrganizationQueues {
  readonly byId = new Map<string, Queue>();
  readonly byUser = new Map<UserId, Set<Queue>>();

  ofUser(userId: UserId): Iterable<Queue> {
    return this.byUser.get(userId) ?? [];
  }

  add(queue: Queue): void {
    this.byId.set(queue.id, queue);
    const ofUser = this.byUser.get(queue.userId);
    if (ofUser) ofUser.add(queue);
    else this.byUser.set(queue.userId, new Set([queue]));
  }

  /** Returns false if the queue is not here, or another object has its id. */
  delete(queue: Queue): boolean {
    if (this.byId.get(queue.id) !== queue) return false;
    this.byId.delete(queue.id);
    const ofUser = this.byUser.get(queue.userId);
    ofUser?.delete(queue);
    if (ofUser?.size === 0) this.byUser.delete(queue.userId);
    return true;
  }
}

/** No entry of the log changes this projection. Requests add and remove queues. */
export const organizationQueues: Projection<OrganizationQueues> = {
  name: "event_queues",
  isAdvisory: true,
  load: async () => new OrganizationQueues(),
  apply() {},
};

/** A projection that keeps something for each queue, such as which channels it listens to. */
export interface QueueProjection<T, P = unknown> extends Projection<T, P> {
  queueAdded(value: T, queue: Queue, state: OrganizationState): void;
  queueRemoved(value: T, queue: Queue, state: OrganizationState): void;
}

export function queuesOf(state: OrganizationState): OrganizationQueues {
  return state.get(organizationQueues);
}

export function addQueue(state: OrganizationState, queue: Queue): void {
  queuesOf(state).add(queue);
  for (const { projection, value } of state.projections()) {
    if (watchesQueues(projection)) projection.queueAdded(value, queue, state);
  }
}

/** Forgets a queue. A poll that it holds is answered without events. */
export function removeQueue(state: OrganizationState, queue: Queue): void {
  if (!queuesOf(state).delete(queue)) return;
  for (const { projection, value } of state.projections()) {
    if (watchesQueues(projection)) projection.queueRemoved(value, queue, state);
  }
  queue.pending = [];
  queue.release();
}

function watchesQueues(projection: Projection<unknown>): projection is QueueProjection<unknown> {
  return "queueAdded" in projection;
}
