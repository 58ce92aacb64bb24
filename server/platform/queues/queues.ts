/**
 * The event queues of this node. A queue is a row and a cursor on the log. What is in memory only saves the
 * node from reading the log again. Any node can take over any queue. It finds the row and reads the log after
 * the cursor (`#warm`). From then on `dispatch` feeds the queue.
 *
 * One node serves a queue at a time: the one that was polled last. When a poll comes to another node, that
 * node publishes a notice. The first node then ends a poll that it still holds and stops collecting
 * (`receive`). If the notice is lost, the first node finds out when it saves its cursors. Until then both
 * nodes collect, which costs memory. A client that has dropped its old poll notices nothing.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import type { OrganizationId, Position, UserId } from "../../../api/ids.ts";
import type { QueueNotice } from "../bus/bus.ts";
import type { Database, Queryable } from "../db/database.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { HeartbeatIds } from "./heartbeat-ids.ts";
import { HeartbeatWheel } from "./heartbeat-wheel.ts";
import { addQueue, queuesOf, removeQueue } from "./organization-queues.ts";
import { type Answer, Queue } from "./queue.ts";
import { replay } from "./replay.ts";
import {
  deleteIdleQueues,
  deleteQueue,
  findQueue,
  listOrganizationsWithQueues,
  updateQueues,
} from "./store.ts";

const SAVE_EVERY_MS = 1000;
const COLLECT_EVERY_MS = 60_000;
/**
 * When a node is gone, many polls change nodes at once. Their notices are sent in one batch after this delay.
 */
const PUBLISH_DELAY_MS = 5;
/** The inactivity after which a queue is discarded (spec Limits). */
export const DEFAULT_LIFESPAN_SECONDS = 600;
export const MAX_LIFESPAN_SECONDS = 7 * 24 * 3600;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export class Queues {
  readonly #database: Database;
  readonly #dispatcher: Dispatcher;
  readonly #states: () => Iterable<OrganizationState>;
  readonly #wheel: HeartbeatWheel;
  readonly #now: () => number;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #dirty = new Map<Queue, OrganizationState>();
  readonly #loading = new Map<string, Promise<Queue | undefined>>();
  readonly #stateOf = new WeakMap<Queue, OrganizationState>();
  readonly #heartbeatIds: HeartbeatIds;
  readonly #notices = new Map<OrganizationState, QueueNotice[]>();
  readonly #report: (error: unknown) => void;
  #saving: Promise<void> = Promise.resolve();

  constructor(
    database: Database,
    states: () => Iterable<OrganizationState>,
    dispatcher: Dispatcher,
    report: (error: unknown) => void,
    now: () => number = Date.now,
  ) {
    this.#database = database;
    this.#heartbeatIds = new HeartbeatIds(database);
    this.#states = states;
    this.#dispatcher = dispatcher;
    this.#now = now;
    this.#report = report;
    this.#wheel = new HeartbeatWheel((queue) => void this.#sendHeartbeat(queue).catch(report), now);
  }

  /** How many queues this node has in memory. */
  get count(): number {
    let count = 0;
    for (const state of this.#states()) count += queuesOf(state).byId.size;
    return count;
  }

  /** How many events this node has put into queues since the start. */
  get delivered(): number {
    return this.#dispatcher.delivered;
  }

  start(): void {
    this.#every(1000, () => this.sendHeartbeats());
    this.#every(SAVE_EVERY_MS, () => void this.save().catch(this.#report));
    this.#every(COLLECT_EVERY_MS, () => void this.collect().catch(this.#report));
  }

  /** Lists the organizations with an event queue on any node. In the others nobody would receive an event. */
  listListenedOrganizations(db: Queryable): Promise<OrganizationId[]> {
    return listOrganizationsWithQueues(db);
  }

  /** Sends the heartbeats that are due. */
  sendHeartbeats(): void {
    this.#wheel.tick();
  }

  /** Answers every held poll with its pending events, and saves every cursor. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const state of this.#states()) for (const queue of queuesOf(state).byId.values()) queue.release();
    await this.save();
  }

  /** Adds a queue whose row the caller is about to insert. From now on it collects events. */
  add(state: OrganizationState, queue: Queue): void {
    this.#stateOf.set(queue, state);
    addQueue(state, queue);
  }

  /**
   * One `GET /events` (spec Events 1, 2). Calls `answer` at once if events are pending or with `dontBlock`.
   * Otherwise calls it when an event arrives or a heartbeat is due. Throws BAD_EVENT_QUEUE_ID for a queue
   * that is unknown, expired or another user's, and in a session for one that an API key has registered.
   * Throws BAD_REQUEST for an id that was not in the queue, or is older than an acknowledged one.
   */
  async poll(
    state: OrganizationState,
    userId: UserId,
    request: { queueId: string; lastEventId: number; dontBlock: boolean; isInSession?: boolean },
    answer: Answer,
  ): Promise<Queue> {
    const queue = await this.access(state, userId, request.queueId);
    if (request.isInSession && queue.isOfApiKey)
      throw new ApiError(errors.badEventQueue, { queueId: request.queueId });
    const last = (request.lastEventId === -1 ? queue.startedAt : request.lastEventId) as Position;
    if (last < queue.cursor) throw new ApiError(errors.eventPruned, { id: request.lastEventId });
    // The id may come from a node that is a moment ahead of this one. There are two tries, since a read under
    // way may have fetched the head before that. The ids of sent heartbeats are not stored, so after a
    // restart any id up to the head counts as known.
    for (let tries = 0; tries < 2 && last > state.position; tries++) await state.catchUp();
    if (last > state.position) throw new ApiError(errors.eventNotInQueue, { id: request.lastEventId });
    queue.acknowledge(last);
    this.touch(state, queue);
    if (!queue.isOurs) this.#take(state, queue);
    if (queue.isCold) await this.#warm(state, queue);
    // The queue was forgotten meanwhile: no event would ever reach a poll that it holds.
    if (queuesOf(state).byId.get(queue.id) !== queue) return this.poll(state, userId, request, answer);
    // One poll at a time: an older one ends with what it has.
    queue.release();
    queue.held = answer;
    // Still cold: another poll ran at the same time. No event would ever reach a held poll of a cold queue.
    if (queue.pending.length > 0 || request.dontBlock || queue.isCold) queue.release();
    else this.#wheel.hold(queue);
    return queue;
  }

  /** The client has disconnected: its poll is dropped, unless a later one has replaced it. */
  abandon(state: OrganizationState, queue: Queue, answer: Answer): void {
    if (queue.held !== answer) return;
    queue.held = undefined;
    this.touch(state, queue);
  }

  async remove(state: OrganizationState, userId: UserId, queueId: string): Promise<void> {
    const { id } = await this.access(state, userId, queueId);
    await this.end(state, id);
  }

  /** Ends a queue, wherever it is served. */
  async end(state: OrganizationState, queueId: string): Promise<void> {
    // In a transaction, since the row may be locked by one, and a statement that waits holds up others.
    await state.database.transaction((tx) => deleteQueue(tx, state.organizationId, queueId));
    const queue = queuesOf(state).byId.get(queueId);
    if (queue) this.forget(state, queue);
    this.#publish(state, { queueId, cursor: null });
  }

  /** Applies notices of other nodes: they have taken over a queue, or deleted one. */
  receive(state: OrganizationState, notices: readonly QueueNotice[]): void {
    for (const { queueId, cursor } of notices) {
      const queue = queuesOf(state).byId.get(queueId);
      if (!queue) continue;
      if (cursor === null) this.forget(state, queue);
      else if (queue.held && queue.cursor > cursor) this.#take(state, queue);
      else queue.yield();
    }
  }

  forget(state: OrganizationState, queue: Queue): void {
    this.#dirty.delete(queue);
    removeQueue(state, queue);
  }

  /** Returns the user's queue with this id. Throws BAD_EVENT_QUEUE_ID if the user has no such queue. */
  async access(state: OrganizationState, userId: UserId, queueId: string): Promise<Queue> {
    const queue =
      queuesOf(state).byId.get(queueId) ??
      (UUID.test(queueId) ? await this.#load(state, queueId) : undefined);
    if (!queue || queue.userId !== userId) throw new ApiError(errors.badEventQueue, { queueId });
    return queue;
  }

  touch(state: OrganizationState, queue: Queue): void {
    queue.lastSeenAt = this.#now();
    this.#dirty.set(queue, state);
  }

  /** Writes the cursors that moved, in one statement per organization. */
  save(): Promise<void> {
    // A failed save must not block the next one.
    this.#saving = this.#saving.catch(() => {}).then(() => this.#saveDirty());
    return this.#saving;
  }

  /** Discards queues that were not polled within their lifespan. */
  async collect(): Promise<void> {
    await this.save();
    for (const state of this.#states()) {
      for (const queue of queuesOf(state).byId.values()) {
        if (queue.held) this.touch(state, queue);
        else if (queue.lastSeenAt + this.#timeoutMs(queue) < this.#now()) this.forget(state, queue);
      }
    }
    await this.save();
    await this.#database.transaction((tx) => deleteIdleQueues(tx), { lane: "background" });
  }

  /** A queue that another node serves stays in memory only as long as its client may soon poll here again. */
  #timeoutMs(queue: Queue): number {
    return queue.isOurs ? queue.lifespanSeconds * 1000 : COLLECT_EVERY_MS;
  }

  /** Takes the queue over from the node that served it. */
  #take(state: OrganizationState, queue: Queue): void {
    queue.isOurs = true;
    this.#publish(state, { queueId: queue.id, cursor: queue.cursor });
  }

  #publish(state: OrganizationState, notice: QueueNotice): void {
    const waiting = this.#notices.get(state);
    if (waiting) {
      waiting.push(notice);
      return;
    }
    this.#notices.set(state, [notice]);
    setTimeout(() => {
      const notices = this.#notices.get(state) as QueueNotice[];
      this.#notices.delete(state);
      state.parts.bus.publishQueues(state.organizationId, notices);
    }, PUBLISH_DELAY_MS).unref();
  }

  async #saveDirty(): Promise<void> {
    const byState = new Map<OrganizationState, Queue[]>();
    for (const [queue, state] of this.#dirty) {
      const list = byState.get(state);
      if (list) list.push(queue);
      else byState.set(state, [queue]);
    }
    this.#dirty.clear();
    for (const [state, queues] of byState) {
      const saving = updateQueues(state.database, state.organizationId, queues, this.#now());
      const kept = await saving.catch((error) => {
        for (const queue of queues) this.#dirty.set(queue, state);
        throw error;
      });
      for (const queue of queues) {
        const row = kept.get(queue.id);
        // A missing row was deleted through another node. A cursor ahead of ours was moved by the node that
        // serves it.
        if (!row) this.forget(state, queue);
        else if (row.cursor > queue.cursor) queue.yield();
        else if (!row.isSaved) this.#dirty.set(queue, state);
      }
    }
  }

  /** Two concurrent polls of a queue that is not in memory must share one `Queue`. */
  #load(state: OrganizationState, queueId: string): Promise<Queue | undefined> {
    const key = `${state.organizationId}/${queueId}`;
    let loading = this.#loading.get(key);
    if (!loading) {
      loading = this.#read(state, queueId).finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  async #read(state: OrganizationState, queueId: string): Promise<Queue | undefined> {
    const row = await findQueue(state.database, state.organizationId, queueId);
    if (!row) return undefined;
    const queue = new Queue({ ...row, lastSeenAt: this.#now(), isCold: true, isOurs: false });
    this.add(state, queue);
    return queue;
  }

  /**
   * Reads the log after the queue's cursor, until `dispatch` can go on without a gap. Throws
   * BAD_EVENT_QUEUE_ID when the log no longer goes back that far. The queue's row shows that, since it is
   * deleted before that part of the log.
   */
  async #warm(state: OrganizationState, queue: Queue): Promise<void> {
    const { deliveries, upTo } = await replay(this.#dispatcher, state, queue, async () => {
      if (await findQueue(state.database, state.organizationId, queue.id)) return;
      this.forget(state, queue);
      throw new ApiError(errors.badEventQueue, { queueId: queue.id });
    });
    // Another poll may have acknowledged some of these deliveries meanwhile.
    queue.pending = deliveries.filter((delivery) => delivery.position > queue.cursor);
    // Still behind: the client gets a first part now, and the rest when it acknowledges this part.
    queue.isCold = upTo < state.position;
  }

  async #sendHeartbeat(queue: Queue): Promise<void> {
    const state = this.#stateOf.get(queue);
    if (!state || !queue.held) return;
    if (state.position <= queue.lastSent || state.position <= queue.cursor)
      await this.#heartbeatIds.next(state);
    if (!queue.held || queue.pending.length > 0) return queue.release();
    queue.pending.push({
      position: state.position,
      json: `{"type":"heartbeat","id":${state.position}}`,
    });
    queue.release();
  }

  #every(milliseconds: number, work: () => void): void {
    this.#timers.push(setInterval(work, milliseconds).unref());
  }
}
