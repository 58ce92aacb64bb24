// The life of an event queue on the client: register, poll, recover. Three rules hold whatever fails. Events
// reach the caller in order and once. A snapshot replaces everything before it. A server that is down is
// retried with growing, random waits.
import type { TProperties } from "typebox";
import type { CallerParameters, Endpoint } from "../api/endpoint.ts";
import { deleteQueue, getEvents, registerQueue } from "../api/real-time.ts";
import { Backoff, wait } from "./backoff.ts";
import { CallError } from "./call-error.ts";
import type { Answer, Connection } from "./connection.ts";

type Declared<E> =
  E extends Endpoint<infer P, infer R extends TProperties> ? { parameters: P; reply: R } : never;

export type RegisterParameters = CallerParameters<Declared<typeof registerQueue>["parameters"]>;
/** The response of /register: the fixed fields, and the requested parts of the state. */
export type Snapshot = Answer<Declared<typeof registerQueue>["reply"]> & Record<string, unknown>;
export type QueuedEvent = { id: number; type: string } & Record<string, unknown>;

export interface Follower {
  /** The initial state. Called again with a new one when the server no longer has the queue. */
  onSnapshot(snapshot: Snapshot): void | Promise<void>;
  /** Events in order, without heartbeats. The next poll waits for the returned promise. */
  onEvents(events: QueuedEvent[]): void | Promise<void>;
  /** Called with the error when the server can't be reached, and with `undefined` when it can be again. */
  onTrouble?(error: CallError | undefined): void;
  /** Stops polling and deletes the queue. */
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
  const following = new Following(connection, parameters, follower);
  try {
    await following.run();
  } catch (error) {
    if (!follower.signal.aborted) throw error;
  } finally {
    await following.end();
  }
}

class Following {
  readonly #connection: Connection;
  readonly #parameters: RegisterParameters;
  readonly #follower: Follower;
  readonly #backoff: Backoff;
  #queueId: string | undefined;
  #lastEventId = -1;
  #isInTrouble = false;

  constructor(connection: Connection, parameters: RegisterParameters, follower: Follower) {
    this.#connection = connection;
    this.#parameters = parameters;
    this.#follower = follower;
    this.#backoff = follower.backoff ?? new Backoff();
  }

  async run(): Promise<void> {
    const { signal } = this.#follower;
    while (!signal.aborted) {
      if (this.#queueId === undefined && !(await this.#register())) return;
      await this.#poll();
    }
  }

  /** Deletes the queue, if there is one. The wait is short: the server drops an abandoned queue in time. */
  async end(): Promise<void> {
    if (this.#queueId === undefined) return;
    try {
      await this.#connection.call(deleteQueue, { queue_id: this.#queueId }, { timeoutMs: 2_000 });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  }

  /** False without an account, where there is a snapshot but no queue. */
  async #register(): Promise<boolean> {
    const { signal } = this.#follower;
    const snapshot = await this.#untilAnswered(() =>
      this.#connection.call(registerQueue, this.#parameters, { signal }),
    );
    this.#queueId = snapshot.queue_id ?? undefined;
    this.#lastEventId = snapshot.last_event_id;
    await this.#follower.onSnapshot(snapshot as Snapshot);
    return this.#queueId !== undefined;
  }

  async #poll(): Promise<void> {
    const { signal } = this.#follower;
    const parameters = { queue_id: this.#queueId, last_event_id: this.#lastEventId };
    const options = { signal, timeoutMs: POLL_TIMEOUT_MS, retries: 0 };
    const askedAt = Date.now();
    let events: QueuedEvent[];
    try {
      const answer = await this.#untilAnswered(() => this.#connection.call(getEvents, parameters, options));
      events = answer.events as QueuedEvent[];
    } catch (error) {
      if (!(error instanceof CallError) || !isQueueLost(error)) throw error;
      this.#queueId = undefined;
      // A server that forgets each queue at once must not be asked for new ones without a pause.
      if (Date.now() - askedAt < QUICK_ANSWER_MS) await wait(this.#backoff.nextMs(), signal);
      return;
    }
    const fresh = events.filter((event) => event.id > this.#lastEventId);
    for (const event of fresh) this.#lastEventId = Math.max(this.#lastEventId, event.id);
    const told = fresh.filter((event) => event.type !== "heartbeat");
    if (told.length > 0) await this.#follower.onEvents(told);
    if (fresh.length > 0) this.#backoff.reset();
    else if (Date.now() - askedAt < QUICK_ANSWER_MS) await wait(this.#backoff.nextMs(), signal);
  }

  async #untilAnswered<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await call();
        if (this.#isInTrouble) this.#follower.onTrouble?.(undefined);
        this.#isInTrouble = false;
        return answer;
      } catch (error) {
        if (!(error instanceof CallError) || !error.isPassing) throw error;
        this.#isInTrouble = true;
        this.#follower.onTrouble?.(error);
        await wait(Math.max(this.#backoff.nextMs(), error.retryAfterMs ?? 0), this.#follower.signal);
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
