import type { OrganizationId } from "../../api/ids.ts";
import type { Database } from "../platform/db/database.ts";
import { isLoopbackName } from "../platform/http/host.ts";
import type { LogParts } from "../platform/log/log-parts.ts";
import { OrganizationState } from "../platform/log/organization-state.ts";
import { findOrganizationIdByHost, findPrimaryOrganizationId } from "./store.ts";

/** How long an unknown host name is remembered, so that requests for guessed names cost no query each. */
const UNKNOWN_FOR_MS = 2000;
const MAX_UNKNOWN = 10_000;

/** The organizations that this node has in memory, by host name. Each is loaded at its first request. */
export class Organizations {
  readonly loaded = new Map<OrganizationId, OrganizationState>();
  readonly #database: Database;
  readonly #parts: LogParts;
  /**
   * The host name in PARLEY_PUBLIC_URL. The primary organization answers to it, and to the loopback names.
   */
  readonly #publicHost: string | undefined;
  #primaryId: OrganizationId | undefined;
  readonly #byHost = new Map<string, OrganizationState>();
  readonly #unknown = new Map<string, number>();
  readonly #loading = new Map<OrganizationId, Promise<OrganizationState>>();

  constructor(database: Database, parts: LogParts, publicHost: string | undefined) {
    this.#database = database;
    this.#parts = parts;
    this.#publicHost = publicHost;
  }

  /** `host` is in lower case, without a port. An organization in memory is returned without a promise. */
  byHost(host: string): OrganizationState | undefined | Promise<OrganizationState | undefined> {
    const state = this.#byHost.get(host);
    if (state) return state;
    const unknownUntil = this.#unknown.get(host);
    if (unknownUntil !== undefined && unknownUntil > Date.now()) return undefined;
    return this.#find(host);
  }

  async byId(id: OrganizationId): Promise<OrganizationState> {
    const state = this.loaded.get(id);
    if (state) return state;
    let loading = this.#loading.get(id);
    if (!loading) {
      loading = OrganizationState.load(this.#database, id, this.#parts)
        .then(async (loadedState) => {
          // Organizations stay, so the oldest one is always the same.
          this.#primaryId ??= await findPrimaryOrganizationId(this.#database);
          this.loaded.set(id, loadedState);
          // This node was not woken by commits between the snapshot and this line.
          await loadedState.catchUp();
          return loadedState;
        })
        .finally(() => this.#loading.delete(id));
      this.#loading.set(id, loading);
    }
    return loading;
  }

  /** Whether an organization in memory is the primary one. */
  isPrimary({ organizationId }: OrganizationState): boolean {
    return organizationId === this.#primaryId;
  }

  /** The memory of an organization that is being imported. It is the caller's own, and follows no log. */
  unopened(id: OrganizationId): Promise<OrganizationState> {
    return OrganizationState.loadUnopened(this.#database, id, this.#parts);
  }

  async primary(): Promise<OrganizationState | undefined> {
    const id = await findPrimaryOrganizationId(this.#database);
    return id === undefined ? undefined : this.byId(id);
  }

  /**
   * To be called when an organization was created through this node: its host name may be among the unknown
   * ones.
   */
  forgetUnknown(): void {
    this.#unknown.clear();
  }

  async #find(host: string): Promise<OrganizationState | undefined> {
    const isOwnName = isLoopbackName(host) || host === this.#publicHost;
    const id =
      (await findOrganizationIdByHost(this.#database, host)) ??
      (isOwnName ? await findPrimaryOrganizationId(this.#database) : undefined);
    if (id === undefined) {
      if (this.#unknown.size >= MAX_UNKNOWN) this.#unknown.clear();
      this.#unknown.set(host, Date.now() + UNKNOWN_FOR_MS);
      return undefined;
    }
    const state = await this.byId(id);
    this.#byHost.set(host, state);
    return state;
  }
}
