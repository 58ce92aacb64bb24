import type pg from "pg";
import type { OrganizationId, Position } from "../../api/ids.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Bus, BusListener, QueueNotice } from "./bus.ts";
import { readHeads, readQueues, writeHeads, writeQueues } from "./notice.ts";

const RECONNECT_MS = 250;
const HEADS = "parley_log";
const QUEUES = "parley_queues";

/**
 * LISTEN and NOTIFY: nothing to set up. PostgreSQL lets transactions that notify commit one at a time, whatever
 * organization they are of, each until it is on the disk. So no send notifies. What is to be told is gathered while the
 * last notification is on its way, and goes out in a transaction of its own that does not wait for the disk.
 */
export class PostgresBus implements Bus {
  readonly #database: Database;
  readonly #report: (error: unknown) => void;
  /** Listens, and notifies. */
  #client: pg.Client | undefined;
  readonly #heads = new Map<OrganizationId, Position>();
  readonly #queueTexts: string[] = [];
  #isTelling = false;
  #isClosed = false;

  constructor(database: Database, report: (error: unknown) => void) {
    this.#database = database;
    this.#report = report;
  }

  publish(organizationId: OrganizationId, head: Position): void {
    // A node's commits may come back in another order than their heads.
    this.#heads.set(organizationId, Math.max(head, this.#heads.get(organizationId) ?? 0) as Position);
    if (!this.#isTelling) void this.#tell();
  }

  publishQueues(organizationId: OrganizationId, notices: readonly QueueNotice[]): void {
    this.#queueTexts.push(...writeQueues(organizationId, notices, this.#database.node));
    if (!this.#isTelling) void this.#tell();
  }

  /** Rejects when PostgreSQL can't be reached; later breaks are mended by themselves. */
  async subscribe(listener: BusListener): Promise<void> {
    const client = await this.#database.connect();
    client.on("notification", ({ channel, payload = "" }) => {
      const read = channel === HEADS ? readHeads : readQueues;
      read(payload, this.#database.node, listener);
    });
    client.on("error", () => {});
    try {
      await client.query(`set synchronous_commit = off; listen ${HEADS}; listen ${QUEUES}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    client.on("end", () => {
      this.#client = undefined;
      this.#resubscribe(listener);
    });
    this.#client = client;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => {});
  }

  #resubscribe(listener: BusListener): void {
    if (this.#isClosed) return;
    setTimeout(() => {
      if (this.#isClosed) return;
      this.subscribe(listener).then(
        () => listener.missed(),
        () => this.#resubscribe(listener),
      );
    }, RECONNECT_MS).unref();
  }

  async #tell(): Promise<void> {
    this.#isTelling = true;
    while (this.#heads.size > 0 || this.#queueTexts.length > 0) {
      const heads = writeHeads([...this.#heads], this.#database.node);
      const queues = this.#queueTexts.splice(0);
      this.#heads.clear();
      await this.#notify(heads, queues);
    }
    this.#isTelling = false;
  }

  async #notify(heads: readonly string[], queues: readonly string[]): Promise<void> {
    const statement = sql`
      select pg_notify(${HEADS}, text) from unnest(${heads}::text[]) as text
      union all
      select pg_notify(${QUEUES}, text) from unnest(${queues}::text[]) as text`;
    try {
      // A command that only changes something listens to nobody, but the server shall hear of it.
      await (this.#client ? this.#client.query(statement) : this.#database.query(statement));
    } catch (error) {
      if (!this.#isClosed) this.#report(error);
    }
  }
}
