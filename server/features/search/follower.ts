import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Database } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { indexNext, MESSAGES_AT_ONCE } from "./index-messages.ts";
import { listBehind } from "./store.ts";

const LOOK_EVERY_MS = 200;
/** How often all organizations are looked at, also those that nobody uses on this node. */
const SURVEY_EVERY_MS = 30_000;
/** It rests this many times as long as it has worked, so that who sends has the machine before who searches. */
const REST = 4;
/** The same while more is sent than it indexes. */
const REST_IN_FLOOD = 16;
const RETRY_MS = 5000;

interface Followed {
  database: Database;
  organizations: { loaded: ReadonlyMap<OrganizationId, OrganizationState> };
}

/**
 * Keeps the index of words behind the log by a fraction of a second; under a flood of messages it falls behind, and catches
 * up after it. How far it is stands in the database, so that a crash loses nothing, and one node at a time works on an
 * organization.
 */
export class SearchFollower {
  readonly #followed: Followed;
  readonly #report: (error: unknown) => void;
  /** How far each organization's log was when it was last seen to be done. */
  readonly #seen = new Map<OrganizationId, Position>();
  /** Of which a batch was done, and there was more. */
  readonly #unfinished = new Set<OrganizationId>();
  /** Where the logs of these ended after the last batch. */
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

  /** Resolves when what was begun is done. */
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
   * One batch for each organization that is behind: the more there is to do, the more rests there are. Returns how many
   * organizations it failed for; the others do not wait for them.
   */
  async #work(): Promise<number> {
    let failures = 0;
    for (const organizationId of await this.#behind()) {
      if (this.#isStopping) break;
      failures += await this.#index(organizationId).catch((error) => this.#fail(error));
    }
    return failures;
  }

  /** Whether the log of an organization that is behind has grown by more than a batch meanwhile. */
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
