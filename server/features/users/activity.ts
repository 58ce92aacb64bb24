import type { OrganizationId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { updateLastActive } from "./store.ts";

/** How much later a sign of life must be to be worth a write. */
const COARSENESS_MS = 6 * 3600 * 1000;

/** Notes when people were last seen, for lists of those who were around lately. It is coarse, never later than true. */
export class ActivityNotes {
  readonly #noted = new Map<UserId, number>();

  async note(db: Queryable, organizationId: OrganizationId, userId: UserId, at: number): Promise<void> {
    if ((this.#noted.get(userId) ?? 0) > at - COARSENESS_MS) return;
    this.#noted.set(userId, at);
    await updateLastActive(db, organizationId, userId, new Date(at));
  }
}
