import type pg from "pg";
import type { TimelineGuard } from "./timeline.ts";
import { type ClientConfig, WatchedClient } from "./watched-client.ts";

const FIRST_RETRY_MS = 20;
const MAX_RETRY_MS = 500;

/**
 * One pipelined connection, which is reopened when it breaks. The statements that were under way then fail
 * with the reason, and none is sent twice.
 */
export class Pipeline {
  readonly #connection: ClientConfig;
  readonly #onOpen: () => void;
  readonly #guard: TimelineGuard;
  #client: WatchedClient | undefined;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  /** `onOpen` is called each time the connection has been opened, including the first. */
  constructor(connection: ClientConfig, guard: TimelineGuard, onOpen: () => void) {
    this.#guard = guard;
    this.#connection = { ...connection, pipeline: true };
    this.#onOpen = onOpen;
  }

  /** Undefined while the connection is not open. */
  get client(): WatchedClient | undefined {
    return this.#client;
  }

  /** Rejects if the connection can't be opened. Only a pipeline that was open once reopens itself. */
  async open(): Promise<void> {
    const client = new WatchedClient(this.#connection);
    // A connection that breaks emits both events, perhaps after it has ended.
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    await client.connect();
    if (this.#isClosed) return client.end();
    try {
      this.#guard.check(await client.openSession());
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    this.#onOpen();
  }

  /** Finishes the statements that are under way, then closes the connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#reopen(FIRST_RETRY_MS);
  }

  #reopen(afterMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.open().catch(() => this.#reopen(Math.min(2 * afterMs, MAX_RETRY_MS)));
    }, afterMs).unref();
  }
}
