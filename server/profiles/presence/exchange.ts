/**
 * Writes the presence that was reported to this node, and reads what was reported to others. All
 * organizations of the node share one transaction every two seconds, so a report costs no statement of its
 * own. The commit does not wait for the disk: a crash of the database may lose the newest batches, and people
 * report again within a minute.
 */
import type { OrganizationId } from "../../../api/ids.ts";
import type { Bus } from "../../platform/bus/bus.ts";
import type { Database } from "../../platform/db/database.ts";
import { lockClasses, lockQuery } from "../../platform/db/locks.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type Presence, presences } from "./presences.ts";
import { listPresencesSince, type OrganizationPresence, withoutFlush, writeBatches } from "./store.ts";

const EVERY_MS = 2000;
/** How many people of one organization one batch has. The rest waits for the next. */
const MAX_IN_BATCH = 5000;

interface Exchanged {
  database: Database;
  bus: Pick<Bus, "isAlone">;
  organizations: { loaded: ReadonlyMap<OrganizationId, OrganizationState> };
}

interface Changed {
  organizationId: OrganizationId;
  state: OrganizationState;
  presences: readonly Presence[];
}

export class PresenceExchange {
  readonly #services: Exchanged;
  readonly #report: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(services: Exchanged, report: (error: unknown) => void) {
    this.#services = services;
    this.#report = report;
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (!this.#running) this.run().catch(this.#report);
    }, EVERY_MS).unref();
  }

  /** Writes what was reported so far. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running?.catch(() => {});
    await this.run();
  }

  /** One exchange; a second one waits for the first. */
  async run(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {});
    this.#running = this.#exchange().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #exchange(): Promise<void> {
    const { database, bus, organizations } = this.#services;
    const states = [...organizations.loaded.values()];
    const changed = states.flatMap((state): Changed[] => {
      const taken = state.get(presences).takeUnwritten(MAX_IN_BATCH);
      return taken.length === 0 ? [] : [{ organizationId: state.organizationId, state, presences: taken }];
    });
    if (changed.length > 0) await this.#write(states, changed);
    else if (!bus.isAlone && states.length > 0)
      this.#add(await listPresencesSince(database, newestOf(states)));
  }

  async #write(states: readonly OrganizationState[], changed: readonly Changed[]): Promise<void> {
    const lead = [withoutFlush, lockQuery(lockClasses.presence, 0)];
    try {
      const { others, batches } = await this.#services.database.transaction(
        async (tx) => ({
          // Under the lock: no batch can come between those that are read here and the one that is written.
          others: await listPresencesSince(tx, newestOf(states)),
          batches: await writeBatches(tx, changed),
        }),
        { lead },
      );
      this.#add(others);
      const idOf = new Map(batches.map(({ organizationId, updateId }) => [organizationId, updateId]));
      for (const { organizationId, state, presences: written } of changed) {
        const updateId = idOf.get(organizationId) as number;
        state.get(presences).confirm(written, updateId);
      }
    } catch (error) {
      for (const { state, presences: taken } of changed) state.get(presences).putBack(taken);
      throw error;
    }
  }

  #add(rows: readonly OrganizationPresence[]): void {
    const byOrganization = new Map<OrganizationId, OrganizationPresence[]>();
    for (const row of rows) {
      const list = byOrganization.get(row.organizationId);
      if (list) list.push(row);
      else byOrganization.set(row.organizationId, [row]);
    }
    for (const [organizationId, list] of byOrganization) {
      this.#services.organizations.loaded.get(organizationId)?.get(presences).add(list);
    }
  }
}

function newestOf(states: readonly OrganizationState[]) {
  return states.map((state) => ({
    organizationId: state.organizationId,
    updateId: state.get(presences).lastUpdateId,
  }));
}
