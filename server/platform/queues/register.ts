import { randomUUID } from "node:crypto";
import type { Position, UserId } from "../../../api/ids.ts";
import type { LastTransaction, Queryable } from "../db/database.ts";
import {
  type PersonalList,
  PersonalRead,
  PersonalStatement,
  type ReadPersonal,
} from "../db/personal-rows.ts";
import { ServerBusy } from "../db/server-busy.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { headsOf, headsQuery } from "../log/store.ts";
import { Queue, type QueueOptions } from "./queue.ts";
import { endExcessQueues, MAX_QUEUES_OF_BOTS } from "./queue-limit.ts";
import type { Queues } from "./queues.ts";
import { queueInsert } from "./store.ts";

/** The user who registers a queue. */
export interface QueueOwner {
  user: { readonly id: UserId };
}

/**
 * What the sections of the response to `/register` are read from. Memory and rows show the organization at
 * one position of its log.
 */
export interface Snapshot<V extends QueueOwner = QueueOwner> {
  /** A repeatable-read transaction at that position. */
  tx: Queryable;
  /** At that position only until the section first awaits, so read what you need before. */
  state: OrganizationState;
  /** undefined: a spectator, who has no account. */
  viewer: V | undefined;
  options: QueueOptions;
  presenceHistoryLimitDays: number;
  /** The URL under which the client reached the organization, without a slash at the end. */
  baseUrl: string;
  /** Whether a name is among the requested `fetch_event_types`. */
  wants(name: string): boolean;
  /** Whether the request has no `fetch_event_types`, so that all sections are wanted. */
  wantsAll: boolean;
  /** One object for all sections of an answer, by which they may keep what they share. */
  answer: object;
  /**
   * Reads a list of the viewer's rows, which is empty without a viewer. What is asked for before a section
   * first awaits is one statement for all sections.
   */
  own: ReadPersonal;
}

/** One subject's part of the response (spec E20). Returns undefined if the client did not ask for it. */
export interface RegisterSection<V extends QueueOwner = QueueOwner> {
  (snapshot: Snapshot<V>): Record<string, unknown> | undefined | Promise<Record<string, unknown> | undefined>;
  /** The lists that it reads by `snapshot.own`. */
  readonly lists?: readonly PersonalList[];
  /**
   * Makes what the section keeps and would take long to make, in turns, before the snapshot is read. Returns
   * undefined if there is nothing to make.
   */
  readonly prepare?: (request: Preparation<V>) => Promise<void> | undefined;
}

/** What is known of an answer before its snapshot. */
export type Preparation<V extends QueueOwner> = Pick<Snapshot<V>, "state" | "viewer" | "options" | "wants">;

export interface RegisterRequest<V extends QueueOwner = QueueOwner> {
  viewer: V | undefined;
  options: QueueOptions;
  fetchEventTypes: readonly string[] | null;
  /** For a bot: all bots of its owner, whose queues are counted together too. */
  botsOfOwner?: (() => readonly UserId[]) | undefined;
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

/** One statement for all sections, which are the same for the life of the process. */
const statements = new WeakMap<readonly RegisterSection<never>[], PersonalStatement>();

function statementOf(sections: readonly RegisterSection<never>[]): PersonalStatement {
  let statement = statements.get(sections);
  if (!statement) {
    statement = new PersonalStatement([...new Set(sections.flatMap(({ lists = [] }) => lists))]);
    statements.set(sections, statement);
  }
  return statement;
}

/**
 * Reads the snapshot and creates the queue in one transaction. The queue starts at exactly the position of
 * the snapshot, so that snapshot and events together miss nothing and repeat nothing.
 */
export async function register<V extends QueueOwner>(
  state: OrganizationState,
  queues: Queues,
  sections: readonly RegisterSection<V>[],
  request: RegisterRequest<V>,
): Promise<Registration> {
  await prepare(state, sections, request);
  // The queue collects events from before the snapshot on. Those that the snapshot includes are then dropped.
  const queue = request.viewer && openQueue(state, queues, request.viewer, request);
  try {
    for (let tries = 1; ; tries++) {
      const registration = await readSnapshot(state, sections, request, queue);
      if (registration) {
        if (queue) await limitQueues(state, queues, queue, request);
        return registration;
      }
      if (tries === MAX_TRIES)
        throw new ServerBusy("the organization kept changing, so no consistent snapshot could be read");
      await state.catchUp();
    }
  } catch (error) {
    if (queue) queues.forget(state, queue);
    throw error;
  }
}

async function prepare<V extends QueueOwner>(
  state: OrganizationState,
  sections: readonly RegisterSection<V>[],
  request: RegisterRequest<V>,
): Promise<void> {
  const { viewer, options } = request;
  const wants = wantsOf(request);
  for (const section of sections) {
    const preparing = section.prepare?.({ state, viewer, options, wants });
    if (preparing) await preparing;
  }
}

function wantsOf({ fetchEventTypes }: Pick<RegisterRequest, "fetchEventTypes">): (name: string) => boolean {
  const wanted = fetchEventTypes && new Set(fetchEventTypes);
  return (name) => wanted === null || wanted.has(name);
}

async function limitQueues(
  state: OrganizationState,
  queues: Queues,
  newest: Queue,
  { botsOfOwner }: Pick<RegisterRequest, "botsOfOwner">,
): Promise<void> {
  await endExcessQueues(state, queues, newest);
  if (!botsOfOwner) return;
  await endExcessQueues(state, queues, newest, { limit: MAX_QUEUES_OF_BOTS, userIds: botsOfOwner() });
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

/** Returns undefined if memory and rows do not show one position of the log. */
async function readSnapshot<V extends QueueOwner>(
  state: OrganizationState,
  sections: readonly RegisterSection<V>[],
  request: RegisterRequest<V>,
  queue: Queue | undefined,
): Promise<Registration | undefined> {
  return state.database.transaction(
    async (tx, [headRows]) => {
      const { head, stateHead } = headsOf(headRows);
      // Also what moves no `stateHead`: the queue gets no events from before the head.
      await state.catchUpTo(head);
      if (state.stateHead !== stateHead) return undefined;
      const { organizationId } = state;
      const userId = request.viewer?.user.id ?? null;
      const personal = new PersonalRead(statementOf(sections), tx, { organizationId, userId });
      const snapshot: Snapshot<V> = {
        tx,
        state,
        viewer: request.viewer,
        options: request.options,
        presenceHistoryLimitDays: request.presenceHistoryLimitDays,
        baseUrl: request.baseUrl,
        wants: wantsOf(request),
        wantsAll: request.fetchEventTypes === null,
        answer: {},
        own: personal.read,
      };
      const reading = sections.map((section) => section(snapshot));
      personal.send();
      const parts = await Promise.all(reading);
      if (queue) await start(tx, state, queue, head);
      return {
        queueId: queue?.id ?? null,
        lastEventId: queue ? head : -1,
        fields: Object.assign({}, ...parts),
      };
    },
    { isolation: "repeatable read", lane: "registrations", lead: [headsQuery(state.organizationId)] },
  );
}

async function start(
  tx: LastTransaction,
  state: OrganizationState,
  queue: Queue,
  head: Position,
): Promise<void> {
  const row = {
    id: queue.id,
    userId: queue.userId,
    cursor: head,
    startedAt: head,
    options: queue.options,
    lifespanSeconds: queue.lifespanSeconds,
  };
  await tx.commitWith(queueInsert(state.organizationId, row));
  queue.startAt(head);
}
