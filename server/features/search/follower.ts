import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Database } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { indexNext, MESSAGES_AT_ONCE } from "./index-messages.ts";
import { listBehind } from "./store.ts";

const LOOK_EVERY_MS = 200;
/** How often all organizations are checked, including those without users on this node. */
const SURVEY_EVERY_MS = 30_000;
/**
 * The follower rests this many times as long as it has worked, so that senders get the CPU before searches.
 */
const REST = 4;
/** The factor while messages are sent faster than they are indexed. */
const REST_IN_FLOOD = 16;
const RETRY_MS = 5000;

interface Followed {
  database: Database;
  organizations: { loaded: ReadonlyMap<OrganizationId, OrganizationState> };
}

/**
 * Keeps the word index a fraction of a second behind the log. Under a flood of messages it falls behind, and
 * catches up afterwards. Its position is stored in the database, so that a crash loses nothing. One node at a
 * time works on an organization.
 */
export class SearchFollower {
  readonly #followed: Followed;
  readonly #report: (error: unknown) => void;
  /** The end of each organization's log when its index was last complete. */
  readonly #seen = new Map<OrganizationId, Position>();
  /** Organizations whose last batch left more work. */
  readonly #unfinished = new Set<OrganizationId>();
  /** The ends of these organizations' logs after the last batch. */
  readonly #ends = new Map<OrganizationId, Position>();
  #timer: NodeJS.Timeout | undefined;
  #surveyedAt = Number.NEGATIVE_INFINITY;
  #working: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(followed: Followed, report: (error: unknown) => void) {
    this.#followed = followed;
    this.#report = report;
  }

  start(): void {
    this.#schedule(LOOK_EVERY_MS);
  }

  /** Resolves when the running work is done. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  #schedule(delayMs: number): void {
    if (this.#isStopping) return;
    this.#timer = setTimeout(() => {
      const begin = performance.now();
      this.#working = this.#work()
        .catch((error) => this.#fail(error))
        .then((failures) => {
          const restMs = (this.#isFlooded() ? REST_IN_FLOOD : REST) * (performance.now() - begin);
          this.#schedule(failures > 0 ? RETRY_MS : Math.max(LOOK_EVERY_MS, restMs));
        });
    }, delayMs).unref();
  }

  /**
   * Indexes one batch for each organization that is behind, so more work means more rests. Returns for how
   * many organizations it failed. The other organizations do not wait for them.
   */
  async #work(): Promise<number> {
    let failures = 0;
    for (const organizationId of await this.#behind()) {
      if (this.#isStopping) break;
      failures += await this.#index(organizationId).catch((error) => this.#fail(error));
    }
    return failures;
  }

  /** Whether the log of an organization that is behind has grown by more than a batch in the meantime. */
  #isFlooded(): boolean {
    let isFlooded = false;
    for (const id of this.#unfinished) {
      const end = this.#followed.organizations.loaded.get(id)?.position;
      if (end === undefined) continue;
      if (end - (this.#ends.get(id) ?? end) > MESSAGES_AT_ONCE) isFlooded = true;
      this.#ends.set(id, end);
    }
    return isFlooded;
  }

  #fail(error: unknown): 1 {
    this.#report(error);
    return 1;
  }

  async #index(organizationId: OrganizationId): Promise<0> {
    const position = this.#followed.organizations.loaded.get(organizationId)?.position;
    const { isDone } = await indexNext(this.#followed.database, organizationId);
    if (!isDone) this.#unfinished.add(organizationId);
    else this.#unfinished.delete(organizationId);
    if (isDone && position !== undefined) this.#seen.set(organizationId, position);
    return 0;
  }

  async #behind(): Promise<Iterable<OrganizationId>> {
    const { database, organizations } = this.#followed;
    const behind = new Set<OrganizationId>(this.#unfinished);
    for (const [id, { position }] of organizations.loaded)
      if (this.#seen.get(id) !== position) behind.add(id);
    if (performance.now() - this.#surveyedAt < SURVEY_EVERY_MS) return behind;
    this.#surveyedAt = performance.now();
    for (const id of await listBehind(database)) behind.add(id);
    return behind;
  }
}
