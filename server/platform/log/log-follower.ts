import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Bus, BusListener, QueueNotice } from "../bus/bus.ts";
import type { Database } from "../db/database.ts";
import type { OrganizationState } from "./organization-state.ts";
import { listHeads } from "./store.ts";

const LOOK_EVERY_MS = 1000;

interface Followed {
  database: Database;
  bus: Bus;
  organizations: { loaded: ReadonlyMap<OrganizationId, OrganizationState> };
  queues: { receive(state: OrganizationState, notices: readonly QueueNotice[]): void };
}

/**
 * Follows what other nodes commit. The log in PostgreSQL is the truth. The bus only wakes the follower: a
 * message names an organization and its head, once per batch. If a message is lost, the check of all heads
 * each second replaces it.
 */
export class LogFollower implements BusListener {
  readonly #followed: Followed;
  readonly #report: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #behind = 0;

  constructor(followed: Followed, report: (error: unknown) => void) {
    this.#followed = followed;
    this.#report = report;
  }

  async start(): Promise<void> {
    await this.#followed.bus.subscribe(this);
    this.#timer = setInterval(() => this.missed(), LOOK_EVERY_MS).unref();
  }

  /** Also closes the bus. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#followed.bus.close();
  }

  head(organizationId: OrganizationId, head: Position): void {
    this.#followed.organizations.loaded.get(organizationId)?.follow(head);
  }

  queues(organizationId: OrganizationId, notices: readonly QueueNotice[]): void {
    const state = this.#followed.organizations.loaded.get(organizationId);
    if (state) this.#followed.queues.receive(state, notices);
  }

  missed(): void {
    this.look().catch(this.#report);
  }

  /**
   * How many positions the memory of an organization was behind its log at the last check, which is made each
   * second: the most of all organizations.
   */
  get behind(): number {
    return this.#behind;
  }

  /** Compares the heads of all loaded organizations with the log. */
  async look(): Promise<void> {
    const states = this.#followed.organizations.loaded;
    if (states.size === 0 || this.#isLooking) return;
    this.#isLooking = true;
    try {
      const heads = await listHeads(this.#followed.database, [...states.keys()]);
      let behind = 0;
      for (const { organizationId, head, epoch } of heads) {
        const state = states.get(organizationId);
        if (state && epoch === state.epoch) {
          behind = Math.max(behind, head - state.position);
          state.follow(head);
        } else {
          this.#followed.database.markReplaced();
        }
      }
      this.#behind = behind;
    } finally {
      this.#isLooking = false;
    }
  }
}
