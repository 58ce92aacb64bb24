import type { OrganizationId } from "../../../api/ids.ts";
import type { Database } from "../../platform/db/database.ts";
import { Live } from "../../platform/log/organization-state.ts";
import type { LogParts } from "../../platform/log/projection.ts";
import { findOrganizationIdByHost, findPrimaryOrganizationId } from "./store.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** How long a host name that nobody has is remembered as such, so that guessing names costs no query each. */
const UNKNOWN_FOR_MS = 2000;
const MAX_UNKNOWN = 10_000;

/** The organizations that this node has in memory, found by host name; loaded at their first request. */
export class Organizations {
  readonly loaded = new Map<OrganizationId, Live>();
  readonly #database: Database;
  readonly #parts: LogParts;
  /** The name in PARLEY_PUBLIC_URL; the primary organization answers to it as to the loopback names. */
  readonly #publicHost: string | undefined;
  readonly #byHost = new Map<string, Live>();
  readonly #unknown = new Map<string, number>();
  readonly #loading = new Map<OrganizationId, Promise<Live>>();

  constructor(database: Database, parts: LogParts, publicHost: string | undefined) {
    this.#database = database;
    this.#parts = parts;
    this.#publicHost = publicHost;
  }

  /** By a lower-case host name without port. Answers at once when the organization is in memory. */
  byHost(host: string): Live | undefined | Promise<Live | undefined> {
    const live = this.#byHost.get(host);
    if (live) return live;
    const unknownUntil = this.#unknown.get(host);
    if (unknownUntil !== undefined && unknownUntil > Date.now()) return undefined;
    return this.#find(host);
  }

  async byId(id: OrganizationId): Promise<Live> {
    const live = this.loaded.get(id);
    if (live) return live;
    let loading = this.#loading.get(id);
    if (!loading) {
      loading = Live.load(this.#database, id, this.#parts)
        .then(async (loadedLive) => {
          this.loaded.set(id, loadedLive);
          // What was committed between the snapshot and this line woke nobody here.
          await loadedLive.catchUp();
          return loadedLive;
        })
        .finally(() => this.#loading.delete(id));
      this.#loading.set(id, loading);
    }
    return loading;
  }

  async primary(): Promise<Live | undefined> {
    const id = await findPrimaryOrganizationId(this.#database);
    return id === undefined ? undefined : this.byId(id);
  }

  /** After one was created through this node, names that were unknown may not be any more. */
  forgetUnknown(): void {
    this.#unknown.clear();
  }

  async #find(host: string): Promise<Live | undefined> {
    const isOwnName = LOOPBACK.has(host) || host === this.#publicHost;
    const id =
      (await findOrganizationIdByHost(this.#database, host)) ??
      (isOwnName ? await findPrimaryOrganizationId(this.#database) : undefined);
    if (id === undefined) {
      if (this.#unknown.size >= MAX_UNKNOWN) this.#unknown.clear();
      this.#unknown.set(host, Date.now() + UNKNOWN_FOR_MS);
      return undefined;
    }
    const live = await this.byId(id);
    this.#byHost.set(host, live);
    return live;
  }
}
