import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Bus, BusListener, QueueNotice } from "../bus/bus.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { OrganizationState } from "./organization-state.ts";

const LOOK_EVERY_MS = 1000;

interface Followed {
  database: Database;
  bus: Bus;
  organizations: { loaded: ReadonlyMap<OrganizationId, OrganizationState> };
  queues: { hear(state: OrganizationState, notices: readonly QueueNotice[]): void };
}

/**
 * Hears what other nodes commit. The log in PostgreSQL is the truth and the bus only wakes: it names an organization and a
 * head, once a batch. Should that get lost, a look at the heads each second makes up for it.
 */
export class LogFollower implements BusListener {
  readonly #followed: Followed;
  readonly #report: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(followed: Followed, report: (error: unknown) => void) {
    this.#followed = followed;
    this.#report = report;
  }

  async start(): Promise<void> {
    await this.#followed.bus.subscribe(this);
    this.#timer = setInterval(() => this.missed(), LOOK_EVERY_MS).unref();
  }

  /** Closes the bus, too. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#followed.bus.close();
  }

  head(organizationId: OrganizationId, head: Position): void {
    this.#followed.organizations.loaded.get(organizationId)?.follow(head);
  }

  queues(organizationId: OrganizationId, notices: readonly QueueNotice[]): void {
    const state = this.#followed.organizations.loaded.get(organizationId);
    if (state) this.#followed.queues.hear(state, notices);
  }

  missed(): void {
    this.look().catch(this.#report);
  }

  /** Compares the heads of all loaded organizations with the log. */
  async look(): Promise<void> {
    const states = this.#followed.organizations.loaded;
    if (states.size === 0 || this.#isLooking) return;
    this.#isLooking = true;
    try {
      const rows = await this.#followed.database.query<{
        organizationId: OrganizationId;
        head: Position;
      }>(sql`
        select organization_id as "organizationId", head from organization_logs
        where organization_id = any(${[...states.keys()]}::bigint[])`);
      for (const row of rows) this.head(row.organizationId, row.head);
    } finally {
      this.#isLooking = false;
    }
  }
}
