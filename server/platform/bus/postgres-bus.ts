import type pg from "pg";
import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Bus, BusListener, QueueNotice } from "./bus.ts";
import { readHeads, readQueues, writeHeads, writeQueues } from "./notice.ts";

const RECONNECT_MS = 250;
const HEADS = "parley_log";
const QUEUES = "parley_queues";
const NODES = "parley_nodes";
/** How often a node says that it is there. */
const PRESENT_EVERY_MS = 10_000;
/** A node that has heard of no other for so long is alone. */
const ALONE_AFTER_MS = 35_000;

/**
 * LISTEN and NOTIFY: nothing to set up. PostgreSQL lets transactions that notify commit one at a time, whatever
 * organization they are of, each until it is on the disk. So no send notifies. What is to be told is gathered while the
 * last notification is on its way, and goes out in a transaction of its own that does not wait for the disk.
 *
 * Under load that is a transaction for each batch of sends, so a node that is alone tells nothing. Nodes say that they are
 * there when they come and every few seconds, and answer one that comes.
 */
export class PostgresBus implements Bus {
  readonly #database: Database;
  readonly #report: (error: unknown) => void;
  /** Listens, and notifies. */
  #client: pg.Client | undefined;
  readonly #heads = new Map<OrganizationId, Position>();
  readonly #queueTexts: string[] = [];
  readonly #presenceTexts: string[] = [];
  #isTelling = false;
  #isClosed = false;
  #heardOfOthersAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, report: (error: unknown) => void) {
    this.#database = database;
    this.#report = report;
  }

  publish(organizationId: OrganizationId, head: Position): void {
    if (this.isAlone) return;
    // A node's commits may come back in another order than their heads.
    this.#heads.set(organizationId, Math.max(head, this.#heads.get(organizationId) ?? 0) as Position);
    if (!this.#isTelling) void this.#tell();
  }

  publishQueues(organizationId: OrganizationId, notices: readonly QueueNotice[]): void {
    if (this.isAlone) return;
    this.#queueTexts.push(...writeQueues(organizationId, notices, this.#database.node));
    if (!this.#isTelling) void this.#tell();
  }

  /** Whether no other node was heard of lately. Who does not listen, a command beside the server, can't know. */
  get isAlone(): boolean {
    return this.#client !== undefined && performance.now() - this.#heardOfOthersAt > ALONE_AFTER_MS;
  }

  /** Rejects when PostgreSQL can't be reached; later breaks are mended by themselves. */
  async subscribe(listener: BusListener): Promise<void> {
    const client = await this.#database.connect();
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === NODES) this.#hearOfNode(payload);
      else if (channel === HEADS) readHeads(payload, this.#database.node, listener);
      else readQueues(payload, this.#database.node, listener);
    });
    client.on("error", () => {});
    try {
      await client.query(`set synchronous_commit = off; listen ${HEADS}; listen ${QUEUES}; listen ${NODES}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    client.on("end", () => {
      this.#client = undefined;
      this.#resubscribe(listener);
    });
    this.#client = client;
    this.#sayPresent("come");
    this.#timer ??= setInterval(() => this.#sayPresent("here"), PRESENT_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
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

  #hearOfNode(text: string): void {
    const [node, word] = text.split(" ");
    if (node === this.#database.node) return;
    this.#heardOfOthersAt = performance.now();
    if (word === "come") this.#sayPresent("here");
  }

  #sayPresent(word: "come" | "here"): void {
    this.#presenceTexts.push(`${this.#database.node} ${word}`);
    if (!this.#isTelling) void this.#tell();
  }

  async #tell(): Promise<void> {
    this.#isTelling = true;
    while (this.#heads.size + this.#queueTexts.length + this.#presenceTexts.length > 0) {
      const heads = writeHeads([...this.#heads], this.#database.node);
      this.#heads.clear();
      await this.#notify(heads, this.#queueTexts.splice(0), this.#presenceTexts.splice(0));
    }
    this.#isTelling = false;
  }

  async #notify(
    heads: readonly string[],
    queues: readonly string[],
    presence: readonly string[],
  ): Promise<void> {
    const statement = sql`
      select pg_notify(${HEADS}, text) from unnest(${heads}::text[]) as text
      union all
      select pg_notify(${QUEUES}, text) from unnest(${queues}::text[]) as text
      union all
      select pg_notify(${NODES}, text) from unnest(${presence}::text[]) as text`;
    try {
      // A command that only changes something listens to nobody, but the server shall hear of it.
      await (this.#client ? this.#client.query(statement) : this.#database.query(statement));
    } catch (error) {
      if (!this.#isClosed) this.#report(error);
    }
  }
}
