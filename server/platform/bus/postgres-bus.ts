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
/** How often a node announces that it is present. */
const PRESENCE_MS = 10_000;
/** A node that gets no announcement of another for this long is alone. */
const ALONE_AFTER_MS = 35_000;
/** After its first announcement a node waits this long for answers, before it believes that it is alone. */
const ANSWERS_MS = 2_000;
/** A node whose own announcements fail may be cut off, and does not know who else is there. */
const CONFIRMED_MS = 12_000;

/**
 * LISTEN and NOTIFY, which need no setup. PostgreSQL commits transactions that notify one at a time, whatever
 * their organization, and each holds the others up until it is on disk. So the transaction of a send never
 * notifies. Notices are collected while the previous notification is under way. They go out in a transaction
 * of their own that does not wait for the disk.
 *
 * Under load that is one transaction for each batch of sends. So a node that is alone sends no notices. A
 * node announces itself when it starts and every ten seconds, and answers the announcement of a node that
 * starts.
 */
export class PostgresBus implements Bus {
  readonly #database: Database;
  readonly #report: (error: unknown) => void;
  readonly #now: () => number;
  /** The connection that listens and notifies. */
  #client: pg.Client | undefined;
  readonly #heads = new Map<OrganizationId, Position>();
  readonly #queueTexts: string[] = [];
  #isNotifying = false;
  #isClosed = false;
  #lastPresenceAt = Number.NEGATIVE_INFINITY;
  /** When this node's first and its newest announcement on the present connection were committed. */
  #announcedAt: { first: number; last: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `now`: milliseconds that never go back. */
  constructor(
    database: Database,
    report: (error: unknown) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#database = database;
    this.#report = report;
    this.#now = now;
  }

  publish(organizationId: OrganizationId, head: Position): void {
    if (this.isAlone) return;
    // A node's commits may be acknowledged in a different order than their heads.
    this.#heads.set(organizationId, Math.max(head, this.#heads.get(organizationId) ?? 0) as Position);
    if (!this.#isNotifying) void this.#notifyAll();
  }

  publishQueues(organizationId: OrganizationId, notices: readonly QueueNotice[]): void {
    if (this.isAlone) return;
    this.#queueTexts.push(...writeQueues(organizationId, notices, this.#database.node));
    if (!this.#isNotifying) void this.#notifyAll();
  }

  /**
   * Whether no other node has announced itself lately, although this node's own announcements got through.
   * Without a subscription, as in a command, false. After a pause of this process, false until the next
   * announcement.
   */
  get isAlone(): boolean {
    if (this.#announcedAt === undefined) return false;
    const now = this.#now();
    return (
      now - this.#lastPresenceAt > ALONE_AFTER_MS &&
      now - this.#announcedAt.first > ANSWERS_MS &&
      now - this.#announcedAt.last < CONFIRMED_MS
    );
  }

  /** Rejects if PostgreSQL can't be reached. Later failures of the connection are repaired automatically. */
  async subscribe(listener: BusListener): Promise<void> {
    const client = await this.#database.connect("notices");
    client.on("notification", ({ channel, payload = "" }) => {
      if (channel === NODES) this.#readPresence(payload);
      else if (channel === HEADS) readHeads(payload, this.#database.node, listener);
      else readQueues(payload, this.#database.node, listener);
    });
    try {
      await client.query(`set synchronous_commit = off; listen ${HEADS}; listen ${QUEUES}; listen ${NODES}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    client.on("end", () => {
      this.#client = undefined;
      this.#announcedAt = undefined;
      this.#resubscribe(listener);
    });
    this.#client = client;
    await this.#announce("come");
    this.#timer ??= setInterval(() => void this.#announce("here"), PRESENCE_MS).unref();
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

  #readPresence(text: string): void {
    const [node, word] = text.split(" ");
    if (node === this.#database.node) return;
    this.#lastPresenceAt = this.#now();
    if (word === "come") void this.#announce("here");
  }

  /** The first announcement is awaited: other nodes are to know of this one before it does anything. */
  async #announce(word: "come" | "here"): Promise<void> {
    const client = this.#client;
    const isCommitted = await this.#notify([], [], [`${this.#database.node} ${word}`]);
    if (!isCommitted || client === undefined || this.#client !== client) return;
    const now = this.#now();
    this.#announcedAt = { first: this.#announcedAt?.first ?? now, last: now };
  }

  async #notifyAll(): Promise<void> {
    this.#isNotifying = true;
    while (this.#heads.size + this.#queueTexts.length > 0) {
      const heads = writeHeads([...this.#heads], this.#database.node);
      this.#heads.clear();
      await this.#notify(heads, this.#queueTexts.splice(0), []);
    }
    this.#isNotifying = false;
  }

  /** Resolves with whether the notices were sent. */
  async #notify(
    heads: readonly string[],
    queues: readonly string[],
    presence: readonly string[],
  ): Promise<boolean> {
    const statement = sql`
      select pg_notify(${HEADS}, text) from unnest(${heads}::text[]) as text
      union all
      select pg_notify(${QUEUES}, text) from unnest(${queues}::text[]) as text
      union all
      select pg_notify(${NODES}, text) from unnest(${presence}::text[]) as text`;
    try {
      // A command beside the server does not listen, but the server must be notified of its changes.
      await (this.#client ? this.#client.query(statement) : this.#database.query(statement));
      return true;
    } catch (error) {
      if (!this.#isClosed) this.#report(error);
      return false;
    }
  }
}
