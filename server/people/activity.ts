import type { OrganizationId, UserId } from "../../api/ids.ts";
import type { Queryable } from "../platform/db/database.ts";
import { updateLastActive } from "./store.ts";

/** How much later an activity must be than the one before it to be written. */
const COARSENESS_MS = 6 * 3600 * 1000;

/** Writes when people were last active, some hours too early at most and never too late. */
export class ActivityNotes {
  readonly #noted = new Map<UserId, number>();

  async note(db: Queryable, organizationId: OrganizationId, userId: UserId, at: number): Promise<void> {
    if ((this.#noted.get(userId) ?? 0) > at - COARSENESS_MS) return;
    this.#noted.set(userId, at);
    await updateLastActive(db, organizationId, userId, new Date(at));
  }
}
