import type { OrganizationId } from "../../../api/ids.ts";
import type { Database } from "../../platform/db/database.ts";
import type { LogParts } from "../../platform/log/log-parts.ts";
import { OrganizationState } from "../../platform/log/organization-state.ts";
import { findOrganizationIdByHost, findPrimaryOrganizationId } from "./store.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** How long a host name that nobody has is remembered as such, so that guessing names costs no query each. */
const UNKNOWN_FOR_MS = 2000;
const MAX_UNKNOWN = 10_000;

/** The organizations that this node has in memory, found by host name; loaded at their first request. */
export class Organizations {
  readonly loaded = new Map<OrganizationId, OrganizationState>();
  readonly #database: Database;
  readonly #parts: LogParts;
  /** The name in PARLEY_PUBLIC_URL; the primary organization answers to it as to the loopback names. */
  readonly #publicHost: string | undefined;
  readonly #byHost = new Map<string, OrganizationState>();
  readonly #unknown = new Map<string, number>();
  readonly #loading = new Map<OrganizationId, Promise<OrganizationState>>();

  constructor(database: Database, parts: LogParts, publicHost: string | undefined) {
    this.#database = database;
    this.#parts = parts;
    this.#publicHost = publicHost;
  }

  /** By a lower-case host name without port. Answers at once when the organization is in memory. */
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
          this.loaded.set(id, loadedState);
          // What was committed between the snapshot and this line woke nobody here.
          await loadedState.catchUp();
          return loadedState;
        })
        .finally(() => this.#loading.delete(id));
      this.#loading.set(id, loading);
    }
    return loading;
  }

  async primary(): Promise<OrganizationState | undefined> {
    const id = await findPrimaryOrganizationId(this.#database);
    return id === undefined ? undefined : this.byId(id);
  }

  /** After one was created through this node, names that were unknown may not be any more. */
  forgetUnknown(): void {
    this.#unknown.clear();
  }

  async #find(host: string): Promise<OrganizationState | undefined> {
    const isOwnName = LOOPBACK.has(host) || host === this.#publicHost;
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
