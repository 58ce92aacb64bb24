import type { OrganizationId, UserId } from "../../../api/ids.ts";

type UserCount = [OrganizationId, UserId, number];

/** What one process has counted since its last update, in the window that ends at `endsAt`. */
export interface CounterUpdate {
  endsAt: number;
  users: UserCount[];
  /** Calls of all bots of a person. */
  owners: UserCount[];
  addresses: [string, number][];
}

/** The other processes that count calls for the same limits. */
export interface RateLimitPeers {
  send(update: CounterUpdate): void;
  /** Sets the only listener. */
  onUpdate(listener: (update: CounterUpdate) => void): void;
}

/** The longest time for which the processes' counts differ. */
const SEND_DELAY_MS = 250;

/** Collects counts for a moment and sends them together, so that not every call costs a message. */
export class CounterSync {
  readonly #peers: RateLimitPeers;
  #users = new Map<string, UserCount>();
  #owners = new Map<string, UserCount>();
  #addresses = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(peers: RateLimitPeers) {
    this.#peers = peers;
  }

  user(organizationId: OrganizationId, userId: UserId, endsAt: number): void {
    count(this.#users, organizationId, userId);
    this.#schedule(endsAt);
  }

  owner(organizationId: OrganizationId, userId: UserId, endsAt: number): void {
    count(this.#owners, organizationId, userId);
    this.#schedule(endsAt);
  }

  address(network: string, endsAt: number): void {
    this.#addresses.set(network, (this.#addresses.get(network) ?? 0) + 1);
    this.#schedule(endsAt);
  }

  /** The window has ended, so its counts no longer matter to the other processes. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // A cleared map would still refer to its old tables' successors (see unordered-list.ts).
    this.#users = new Map();
    this.#owners = new Map();
    this.#addresses = new Map();
  }

  #schedule(endsAt: number): void {
    this.#timer ??= setTimeout(() => {
      const users = [...this.#users.values()];
      const owners = [...this.#owners.values()];
      this.#peers.send({ endsAt, users, owners, addresses: [...this.#addresses] });
      this.clear();
    }, SEND_DELAY_MS).unref();
  }
}

function count(counts: Map<string, UserCount>, organizationId: OrganizationId, userId: UserId): void {
  const key = `${organizationId}/${userId}`;
  const known = counts.get(key);
  if (known) known[2]++;
  else counts.set(key, [organizationId, userId, 1]);
}
