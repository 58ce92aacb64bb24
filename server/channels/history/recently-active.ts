/**
 * Who was active in the last 14 days, for partial lists of subscribers (spec Limits): everyone who had an
 * event queue or sent a message. Clients of this node count at once. Clients of other nodes, and messages
 * sent without a queue, count within seconds.
 */

import type { UserId } from "../../../api/ids.ts";
import { ActivityNotes } from "../../people/activity.ts";
import { users } from "../../people/user.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type QueueProjection, queuesOf } from "../../platform/queues/organization-queues.ts";
import { listRecentlyActive } from "./message-store.ts";

const DAYS = 14;
const KEPT_MS = 10_000;
/** How long the known people may be used while they are read again. */
const SHOWN_MS = 60_000;
/** Each is looked up by itself, and no statement may take long (see `LANE_STATEMENT_MS`). */
const PEOPLE_AT_ONCE = 5000;

export class RecentlyActive {
  /** Changes whenever the people do. */
  version = 0;
  readonly notes = new ActivityNotes();
  #people = new Set<UserId>();
  /** Those who were added one by one, each with a version of its own, since `#versionBefore`. */
  #added: UserId[] = [];
  #versionBefore = 0;
  #readAt = 0;
  #reading: Promise<void> | undefined;

  has(userId: UserId): boolean {
    return this.#people.has(userId);
  }

  add(userId: UserId): void {
    if (this.#people.has(userId)) return;
    this.#people.add(userId);
    this.#added.push(userId);
    this.version++;
  }

  /** Who became active after that version; undefined if that is not all that has changed. */
  addedSince(version: number): readonly UserId[] | undefined {
    return version < this.#versionBefore ? undefined : this.#added.slice(version - this.#versionBefore);
  }

  /** Reads the rows again unless that was done just now. */
  async refresh(state: OrganizationState): Promise<void> {
    const age = Date.now() - this.#readAt;
    if (age < KEPT_MS) return;
    this.#reading ??= this.#read(state).finally(() => {
      this.#reading = undefined;
    });
    if (age >= SHOWN_MS) await this.#reading;
    else this.#reading.catch(state.parts.report);
  }

  async #read(state: OrganizationState): Promise<void> {
    const { database, organizationId } = state;
    const everybody = [...state.get(users).byId.keys()];
    const ids: UserId[] = [];
    for (let start = 0; start < everybody.length; start += PEOPLE_AT_ONCE) {
      const some = everybody.slice(start, start + PEOPLE_AT_ONCE);
      const look = (tx: Queryable) => listRecentlyActive(tx, organizationId, some, DAYS);
      ids.push(...(await database.transaction(look, { lane: "background" })));
    }
    const people = new Set([...ids, ...queuesOf(state).byUser.keys()]);
    if (people.size !== this.#people.size || ids.some((id) => !this.#people.has(id))) {
      this.#versionBefore = ++this.version;
      this.#added = [];
    }
    this.#people = people;
    this.#readAt = Date.now();
  }
}

export const recentlyActive: QueueProjection<RecentlyActive> = {
  name: "recently_active",
  load: async () => new RecentlyActive(),
  apply() {},
  queueAdded(value, queue, state) {
    value.add(queue.userId);
    note(state, value, queue.userId, Date.now());
  },
  queueRemoved(value, queue, state) {
    note(state, value, queue.userId, queue.lastSeenAt);
  },
};

function note(state: OrganizationState, value: RecentlyActive, userId: UserId, at: number): void {
  value.notes.note(state.database, state.organizationId, userId, at).catch(state.parts.report);
}
