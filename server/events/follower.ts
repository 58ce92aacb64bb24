import type pg from "pg";
import type { OrganizationId, Position } from "../../api/ids.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Live } from "./live.ts";

const LOOK_EVERY_MS = 1000;
const RECONNECT_MS = 250;

/**
 * Hears what other nodes commit. The log in PostgreSQL is the truth and a notification only wakes: it names an
 * organization and a head, once a batch. Should one get lost, a look at the heads each second makes up for it.
 */
export class Follower {
  readonly #database: Database;
  readonly #lives: () => ReadonlyMap<OrganizationId, Live>;
  readonly #report: (error: unknown) => void;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #isLooking = false;

  constructor(
    database: Database,
    lives: () => ReadonlyMap<OrganizationId, Live>,
    report: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#lives = lives;
    this.#report = report;
  }

  async start(): Promise<void> {
    await this.#listen();
    this.#timer = setInterval(() => void this.look().catch(this.#report), LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#client?.end().catch(() => {});
  }

  /** Compares the heads of all loaded organizations with the log. */
  async look(): Promise<void> {
    const lives = this.#lives();
    if (lives.size === 0 || this.#isLooking) return;
    this.#isLooking = true;
    try {
      const rows = await this.#database.query<{ organizationId: OrganizationId; head: Position }>(sql`
        select organization_id as "organizationId", head from organization_logs
        where organization_id = any(${[...lives.keys()]}::bigint[])`);
      for (const row of rows) lives.get(row.organizationId)?.follow(row.head);
    } finally {
      this.#isLooking = false;
    }
  }

  async #listen(): Promise<void> {
    const client = await this.#database.connect();
    client.on("notification", ({ payload }) => this.#wake(payload ?? ""));
    client.on("error", () => {});
    client.on("end", () => this.#relisten());
    await client.query("listen parley_log");
    this.#client = client;
  }

  #relisten(): void {
    if (this.#isStopped) return;
    setTimeout(() => {
      if (!this.#isStopped) this.#listen().catch(() => this.#relisten());
    }, RECONNECT_MS).unref();
  }

  #wake(payload: string): void {
    const [organizationId, head, node] = payload.split(":");
    if (node === this.#database.node) return;
    this.#lives()
      .get(Number(organizationId) as OrganizationId)
      ?.follow(Number(head) as Position);
  }
}
