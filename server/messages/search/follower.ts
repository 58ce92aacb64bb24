import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { OrganizationId, Position } from "../../../api/ids.ts";
import type { Database } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { indexBacklog } from "./backlog.ts";
import { listBehind, listWithBacklog } from "./cursor-store.ts";
import { type Followed, followLog, MESSAGES_AT_ONCE, ORGANIZATIONS_AT_ONCE } from "./index-messages.ts";
import { readSearchLag } from "./lag.ts";
import { newsOf } from "./news.ts";

/** The longest rest before the newest messages are looked for again. */
const LOOK_EVERY_MS = 200;
/** How many messages are indexed at once while more than this are sent between two looks. */
const AT_ONCE_IN_FLOOD = 100;
/** How often all organizations are checked, including those without users on this node. */
const SURVEY_EVERY_MS = 30_000;
/**
 * The backlog rests this many times as long as it has worked, so that senders get the CPU before searches.
 */
const REST = 4;
const REST_IN_FLOOD = 16;
const RETRY_MS = 5000;
/** With this many positions or more, the log says that the index is behind. */
const FAR_BEHIND = 10_000;

interface FollowedServices {
  database: Database;
  organizations: { loaded: ReadonlyMap<OrganizationId, OrganizationState> };
  log: Pick<Logger, "warn">;
}

/**
 * Keeps the word index a fraction of a second behind the log, and works on its backlog: the gaps that a flood
 * of messages or an import left. All progress is stored in the database, so that a crash loses nothing. One
 * node at a time works on an organization.
 */
export class SearchFollower {
  readonly #services: FollowedServices;
  readonly #report: (error: unknown) => void;
  /** The end of each organization's log in memory when its newest messages were last indexed. */
  readonly #reached = new Map<OrganizationId, Position>();
  /** Organizations of which more of the newest messages are to be indexed. */
  readonly #unfinished = new Set<OrganizationId>();
  /** In the order of their turns. */
  readonly #withBacklog = new Set<OrganizationId>();
  /** When to try these organizations again, whose messages could not be indexed. */
  readonly #retryAt = new Map<OrganizationId, number>();
  readonly #stopping = new AbortController();
  #working: Promise<unknown> = Promise.resolve();
  #surveyedAt = Number.NEGATIVE_INFINITY;
  #isFarBehind = false;

  constructor(services: FollowedServices, report: (error: unknown) => void) {
    this.#services = services;
    this.#report = report;
  }

  start(): void {
    this.#working = Promise.all([this.#follow(), this.#catchUp()]);
  }

  /** Resolves when the running work is done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  /** Indexes the newest messages, with short rests of one length. */
  async #follow(): Promise<void> {
    let end = this.#endOfLogs();
    while (await this.#rest(LOOK_EVERY_MS)) {
      const sent = this.#endOfLogs() - end;
      end += sent;
      await this.#attempt(async () => {
        await this.#survey();
        const atMost = sent > AT_ONCE_IN_FLOOD ? AT_ONCE_IN_FLOOD : MESSAGES_AT_ONCE;
        await this.#indexNewest(this.#behind(), atMost);
      });
    }
  }

  /** Works on the backlog, with rests as long as the machine is busy with sends. */
  async #catchUp(): Promise<void> {
    let end = this.#endOfLogs();
    for (let restMs = LOOK_EVERY_MS; await this.#rest(restMs); ) {
      const sent = this.#endOfLogs() - end;
      end += sent;
      const [organizationId] = this.#withBacklog;
      const begin = performance.now();
      if (organizationId !== undefined) await this.#attempt(() => this.#workOnBacklog(organizationId));
      const times = sent > MESSAGES_AT_ONCE ? REST_IN_FLOOD : REST;
      restMs = Math.max(
        organizationId === undefined ? LOOK_EVERY_MS : 0,
        times * (performance.now() - begin),
      );
    }
  }

  /** False at the end. */
  async #rest(ms: number): Promise<boolean> {
    const { signal } = this.#stopping;
    await sleep(ms, undefined, { ref: false, signal }).catch(() => {});
    return !signal.aborted;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#report(error);
      await this.#rest(RETRY_MS);
    }
  }

  /** The ends of all logs on this node, added up: its growth tells how much is sent. */
  #endOfLogs(): number {
    let sum = 0;
    for (const { position } of this.#services.organizations.loaded.values()) sum += position;
    return sum;
  }

  /** Each organization has one batch before any has the next. */
  async #indexNewest(behind: readonly OrganizationId[], atMost: number): Promise<void> {
    for (let left = behind; left.length > 0 && !this.#stopping.signal.aborted; ) {
      const asked = left.slice(0, ORGANIZATIONS_AT_ONCE);
      const { taken } = await this.#index(asked, atMost);
      left = left.filter((id) => !taken.includes(id));
    }
  }

  /** If one of the organizations fails, the others are indexed by themselves. */
  async #index(asked: readonly OrganizationId[], atMost: number): Promise<Pick<Followed, "taken">> {
    const { database, organizations } = this.#services;
    const ends = new Map(asked.map((id) => [id, organizations.loaded.get(id)?.position]));
    try {
      const followed = await followLog(database, asked, atMost);
      for (const id of followed.taken) this.#unfinished.add(id);
      for (const id of followed.reached) {
        const end = ends.get(id);
        if (end !== undefined) this.#reached.set(id, end);
        this.#unfinished.delete(id);
      }
      for (const id of followed.withBacklog) this.#withBacklog.add(id);
      return followed;
    } catch (error) {
      const [only, ...others] = asked;
      if (others.length === 0 && only !== undefined) {
        this.#report(error);
        this.#retryAt.set(only, performance.now() + RETRY_MS);
      } else {
        for (const id of asked) await this.#index([id], atMost);
      }
      return { taken: [...asked] };
    }
  }

  async #workOnBacklog(organizationId: OrganizationId): Promise<void> {
    // At the end of the queue, also if it fails.
    this.#withBacklog.delete(organizationId);
    this.#withBacklog.add(organizationId);
    const { isDone } = await indexBacklog(this.#services.database, organizationId);
    if (isDone) this.#withBacklog.delete(organizationId);
  }

  #behind(): OrganizationId[] {
    const now = performance.now();
    const behind = new Set(this.#unfinished);
    for (const [id, state] of this.#services.organizations.loaded)
      if ((this.#reached.get(id) ?? -1) < newsOf(state)) behind.add(id);
    return [...behind].filter((id) => (this.#retryAt.get(id) ?? 0) <= now);
  }

  /** Looks at all organizations, including those that another node left unfinished. */
  async #survey(): Promise<void> {
    if (performance.now() - this.#surveyedAt < SURVEY_EVERY_MS) return;
    this.#surveyedAt = performance.now();
    const { database, log } = this.#services;
    for (const id of await listBehind(database)) this.#unfinished.add(id);
    for (const id of await listWithBacklog(database)) this.#withBacklog.add(id);
    const { total } = await readSearchLag(database);
    if (total >= FAR_BEHIND && !this.#isFarBehind) {
      log.warn(
        `The search index is ${total} log entries behind. Searches are slower until it has caught up.`,
      );
    }
    this.#isFarBehind = total >= FAR_BEHIND;
  }
}
