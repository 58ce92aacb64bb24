// The life of an event queue on the client: register, poll, recover. Three rules hold whatever fails. Events
// reach the caller in order and once. A snapshot replaces everything before it. A server that is down is
// retried with growing, random waits.
import { Backoff, wait } from "./backoff.ts";
import { CallError } from "./call-error.ts";
import type { Connection } from "./connection.ts";
import { endpoints, type QueuedEvent, type RegisterParameters, type Snapshot } from "./contract.ts";

export interface EventOptions {
  /**
   * The initial state, before the events that follow from it. Called again with a new one when the server no
   * longer has the queue: what was built from the old one must be built again.
   */
  onSnapshot?(snapshot: Snapshot): void | Promise<void>;
  /** Called with the error when the server can't be reached, and with `undefined` when it can be again. */
  onTrouble?(error: CallError | undefined): void;
  /** Ends the events and deletes the queue. */
  signal?: AbortSignal;
}

export interface Follower extends EventOptions {
  onSnapshot(snapshot: Snapshot): void | Promise<void>;
  /** Events in order, without heartbeats. The next poll waits for the returned promise. */
  onEvents(events: QueuedEvent[]): void | Promise<void>;
  signal: AbortSignal;
  backoff?: Backoff;
}

/** Held requests return within a minute; one that takes this long has been lost. */
const POLL_TIMEOUT_MS = 90_000;

/**
 * An empty response that comes sooner did not come from waiting, and polling again at once would be a hot
 * loop.
 */
const QUICK_ANSWER_MS = 250;

/**
 * Follows everything that `/register` was asked for until the signal is aborted, and then resolves. Rejects
 * when retrying is pointless: the server refuses the registration or the credentials, or a callback throws.
 * Without an account there is no queue, and it resolves after the snapshot.
 */
export async function follow(
  connection: Connection,
  parameters: RegisterParameters,
  follower: Follower,
): Promise<void> {
  const queue = new EventQueue(connection, parameters, follower, follower.backoff);
  for await (const events of queue.batches()) await follower.onEvents(events);
}

/** The same as an iterator of single events. Leaving the loop deletes the queue. */
export async function* eventsOf(
  connection: Connection,
  parameters: RegisterParameters,
  options: EventOptions = {},
): AsyncGenerator<QueuedEvent, void, undefined> {
  for await (const events of new EventQueue(connection, parameters, options).batches()) yield* events;
}

class EventQueue {
  readonly #connection: Connection;
  readonly #parameters: RegisterParameters;
  readonly #options: EventOptions;
  readonly #backoff: Backoff;
  #queueId: string | undefined;
  #lastEventId = -1;
  #isInTrouble = false;
  /** The server answers again, and that was not said yet. */
  #isBack = false;

  constructor(
    connection: Connection,
    parameters: RegisterParameters,
    options: EventOptions,
    backoff = new Backoff(),
  ) {
    this.#connection = connection;
    this.#parameters = parameters;
    this.#options = options;
    this.#backoff = backoff;
  }

  /** What each poll brought. The next poll is made when the next batch is asked for. */
  async *batches(): AsyncGenerator<QueuedEvent[], void, undefined> {
    const { signal } = this.#options;
    try {
      while (!signal?.aborted) {
        if (this.#queueId === undefined && !(await this.#register())) return;
        const events = await this.#poll();
        if (events.length > 0) yield events;
        this.#sayBack();
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    } finally {
      await this.#end();
    }
  }

  /** Deletes the queue, if there is one. The wait is short: the server drops an abandoned queue in time. */
  async #end(): Promise<void> {
    if (this.#queueId === undefined) return;
    try {
      const options = { timeoutMs: 2_000, retries: 0 };
      await this.#connection.call(endpoints.deleteQueue, { queue_id: this.#queueId }, options);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  }

  /** False without an account, where there is a snapshot but no queue. */
  async #register(): Promise<boolean> {
    const options = { signal: this.#options.signal, retries: 0 };
    const snapshot = await this.#untilAnswered(() =>
      this.#connection.call(endpoints.registerQueue, this.#parameters, options),
    );
    this.#queueId = snapshot.queue_id ?? undefined;
    this.#lastEventId = snapshot.last_event_id;
    await this.#options.onSnapshot?.(snapshot as Snapshot);
    this.#sayBack();
    return this.#queueId !== undefined;
  }

  async #poll(): Promise<QueuedEvent[]> {
    const { signal } = this.#options;
    const options = { signal, timeoutMs: POLL_TIMEOUT_MS, retries: 0 };
    const askedAt = Date.now();
    let events: QueuedEvent[];
    let isHeld = true;
    try {
      const call = () => {
        // A held call would not say for a minute that the server is back.
        isHeld = !this.#isInTrouble;
        const parameters = {
          ...{ queue_id: this.#queueId, last_event_id: this.#lastEventId },
          ...(!isHeld && { dont_block: true }),
        };
        return this.#connection.call(endpoints.getEvents, parameters, options);
      };
      events = (await this.#untilAnswered(call)).events as QueuedEvent[];
    } catch (error) {
      if (!(error instanceof CallError) || !isQueueLost(error)) throw error;
      this.#queueId = undefined;
      // A server that forgets each queue at once must not be asked for new ones without a pause.
      if (Date.now() - askedAt < QUICK_ANSWER_MS) await wait(this.#backoff.nextMs(), signal);
      return [];
    }
    const fresh = events.filter((event) => event.id > this.#lastEventId);
    for (const event of fresh) this.#lastEventId = Math.max(this.#lastEventId, event.id);
    if (fresh.length > 0) this.#backoff.reset();
    else if (isHeld && Date.now() - askedAt < QUICK_ANSWER_MS) await wait(this.#backoff.nextMs(), signal);
    return fresh.filter((event: { type: string }) => event.type !== "heartbeat");
  }

  /**
   * Says that the server is back, once its answer was handled: a listener then knows what happened meanwhile.
   */
  #sayBack(): void {
    if (this.#isBack) this.#options.onTrouble?.(undefined);
    this.#isBack = false;
  }

  async #untilAnswered<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await call();
        this.#isBack ||= this.#isInTrouble;
        this.#isInTrouble = false;
        return answer;
      } catch (error) {
        if (!(error instanceof CallError) || !error.isPassing) throw error;
        this.#isInTrouble = true;
        this.#options.onTrouble?.(error);
        await this.#backoff.pause(error.retryAfterMs, this.#options.signal);
      }
    }
  }
}

/**
 * BAD_EVENT_QUEUE_ID means that the queue is gone. Any other 400 means that server and client disagree about
 * the position, which only a new snapshot resolves.
 */
function isQueueLost({ failure }: CallError): boolean {
  return failure.kind === "api" && failure.status === 400;
}
