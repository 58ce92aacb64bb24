import { ApiError, errors } from "../../../api/errors.ts";
import type { Viewer } from "../users/viewer.ts";

/** A report is a message of up to 10,000 characters to a few people, so a person needs few of them. */
export const REPORTS_PER_HOUR = 10;

const HOUR_MS = 3_600_000;

/** After this many people in one hour, all others share one count. */
const MAX_PEOPLE = 10_000;

/**
 * Counts the reports of each person in hours that are the same for everybody, so that all counts are dropped
 * together. Each process counts for itself, and a restart forgets the counts.
 */
export class ReportLimit {
  readonly #now: () => number;
  readonly #counts = new Map<string, number>();
  #endsAt = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts one report, and takes it back if `work` fails. Throws `rateLimitHit` over the limit. */
  async count(viewer: Viewer, work: () => Promise<void>): Promise<void> {
    const key = this.#add(viewer);
    const endsAt = this.#endsAt;
    try {
      await work();
    } catch (error) {
      if (endsAt === this.#endsAt) this.#counts.set(key, (this.#counts.get(key) as number) - 1);
      throw error;
    }
  }

  #add({ state, user }: Viewer): string {
    const now = this.#now();
    if (now >= this.#endsAt) {
      this.#endsAt = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
      this.#counts.clear();
    }
    const own = `${state.organizationId}:${user.id}`;
    const key = this.#counts.size < MAX_PEOPLE || this.#counts.has(own) ? own : "";
    const count = this.#counts.get(key) ?? 0;
    if (count >= REPORTS_PER_HOUR) {
      throw new ApiError(errors.rateLimitHit, { retryAfter: Math.max(1, (this.#endsAt - now) / 1000) });
    }
    this.#counts.set(key, count + 1);
    return key;
  }
}
