import { randomUUID } from "node:crypto";
import type { Position, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../db/database.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { Queue, type QueueOptions } from "./queue.ts";
import { endExcessQueues } from "./queue-limit.ts";
import type { Queues } from "./queues.ts";
import { insertQueue } from "./store.ts";

/** Whose queue it is, as far as registering must know. */
export interface QueueOwner {
  user: { readonly id: UserId };
}

/** What a section of the answer to `/register` is read from: one moment of the organization, in memory and in the rows. */
export interface Snapshot<V extends QueueOwner = QueueOwner> {
  /** Repeatable read, as of the moment. */
  tx: Queryable;
  /** As of the moment until the section first awaits: read what you need of it before. */
  state: OrganizationState;
  /** undefined: someone without an account, where public access is on. */
  viewer: V | undefined;
  options: QueueOptions;
  presenceHistoryLimitDays: number;
  /** The URL under which the caller reached the organization, without a slash at the end. */
  baseUrl: string;
  /** Whether a name is among the requested `fetch_event_types`. */
  wants(name: string): boolean;
  /** Whether no names were requested, so that all is wanted. */
  wantsAll: boolean;
}

/** One subject's part of the answer (spec E20). Returns nothing for what was not asked for. */
export type RegisterSection<V extends QueueOwner = QueueOwner> = (
  snapshot: Snapshot<V>,
) => Record<string, unknown> | undefined | Promise<Record<string, unknown> | undefined>;

export interface RegisterRequest<V extends QueueOwner = QueueOwner> {
  viewer: V | undefined;
  options: QueueOptions;
  fetchEventTypes: readonly string[] | null;
  lifespanSeconds: number;
  presenceHistoryLimitDays: number;
  baseUrl: string;
}

export interface Registration {
  queueId: string | null;
  lastEventId: number;
  fields: Record<string, unknown>;
}

const MAX_TRIES = 20;

/**
 * Reads the snapshot and creates the queue in one transaction: the queue starts at exactly the position that the snapshot
 * shows, so that snapshot and events together miss nothing and repeat nothing.
 */
export async function register<V extends QueueOwner>(
  state: OrganizationState,
  queues: Queues,
  sections: readonly RegisterSection<V>[],
  request: RegisterRequest<V>,
): Promise<Registration> {
  // The queue collects from before the snapshot on; what the snapshot turns out to hold is dropped again.
  const queue = request.viewer && openQueue(state, queues, request.viewer, request);
  try {
    for (let tries = 1; ; tries++) {
      const registration = await readSnapshot(state, sections, request, queue);
      if (registration) {
        if (queue) await endExcessQueues(state, queues, queue);
        return registration;
      }
      if (tries === MAX_TRIES)
        throw new Error("the organization's memory did not come to rest for a snapshot");
      await state.catchUp();
    }
  } catch (error) {
    if (queue) queues.forget(state, queue);
    throw error;
  }
}

function openQueue(
  state: OrganizationState,
  queues: Queues,
  viewer: QueueOwner,
  request: RegisterRequest,
): Queue {
  const queue = new Queue({
    id: randomUUID(),
    userId: viewer.user.id,
    options: request.options,
    lifespanSeconds: request.lifespanSeconds,
    startedAt: state.position,
    cursor: state.position,
    isCold: false,
    isOurs: true,
    lastSeenAt: Date.now(),
  });
  queues.add(state, queue);
  return queue;
}

/** Undefined when the memory and the rows are not of one moment. */
async function readSnapshot<V extends QueueOwner>(
  state: OrganizationState,
  sections: readonly RegisterSection<V>[],
  request: RegisterRequest<V>,
  queue: Queue | undefined,
): Promise<Registration | undefined> {
  return state.database.transaction(
    async (tx) => {
      const { head, stateHead } = await state.readHeads(tx);
      if (state.stateHead < stateHead) await state.catchUp();
      if (state.stateHead !== stateHead) return undefined;
      const wanted = request.fetchEventTypes && new Set(request.fetchEventTypes);
      const snapshot: Snapshot<V> = {
        tx,
        state,
        viewer: request.viewer,
        options: request.options,
        presenceHistoryLimitDays: request.presenceHistoryLimitDays,
        baseUrl: request.baseUrl,
        wants: (name) => wanted === null || wanted.has(name),
        wantsAll: wanted === null,
      };
      const parts = await Promise.all(sections.map((section) => section(snapshot)));
      if (queue) await start(tx, state, queue, head);
      return {
        queueId: queue?.id ?? null,
        lastEventId: queue ? head : -1,
        fields: Object.assign({}, ...parts),
      };
    },
    { isolation: "repeatable read" },
  );
}

async function start(tx: Queryable, state: OrganizationState, queue: Queue, head: Position): Promise<void> {
  await insertQueue(tx, state.organizationId, {
    id: queue.id,
    userId: queue.userId,
    cursor: head,
    startedAt: head,
    options: queue.options,
    lifespanSeconds: queue.lifespanSeconds,
  });
  queue.startAt(head);
}
