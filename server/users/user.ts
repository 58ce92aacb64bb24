import type { UserId } from "../../api/ids.ts";
import type { Slice } from "../events/slice.ts";
import { listUsers } from "./store.ts";

export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = (typeof roles)[keyof typeof roles];

/** A person or bot, as every node keeps it in memory. `email` is the one that sign-in and the API use. */
export interface User {
  id: UserId;
  email: string;
  fullName: string;
  role: Role;
  isActive: boolean;
  /** null: a person. 1 generic, 2 incoming webhook, 3 outgoing webhook. */
  botType: number | null;
  botOwnerId: UserId | null;
  timezone: string;
  avatarVersion: number;
  /** ISO 8601. */
  joinedAt: string;
  /** Only what differs from the defaults; read it through `userSettingOf`. */
  settings: Record<string, unknown>;
}

/** Everybody of an organization, active or not. */
export class Users {
  readonly byId = new Map<UserId, User>();
  readonly #byEmail = new Map<string, User>();
  readonly #byName = new Map<string, Set<User>>();
  /** Grows with every change, for what is derived from all users and kept. */
  version = 0;

  get size(): number {
    return this.byId.size;
  }

  all(): IterableIterator<User> {
    return this.byId.values();
  }

  find(id: number): User | undefined {
    return this.byId.get(id as UserId);
  }

  findByEmail(email: string): User | undefined {
    return this.#byEmail.get(email.trim().toLowerCase());
  }

  /** Active users of that full name, ignoring case. */
  findByName(name: string): User[] {
    return [...(this.#byName.get(name.toLowerCase()) ?? [])].filter((user) => user.isActive);
  }

  put(user: User): void {
    const old = this.byId.get(user.id);
    if (old) this.#unindex(old);
    this.byId.set(user.id, user);
    this.#byEmail.set(user.email.toLowerCase(), user);
    const name = user.fullName.toLowerCase();
    const namesakes = this.#byName.get(name);
    if (namesakes) namesakes.add(user);
    else this.#byName.set(name, new Set([user]));
    this.version++;
  }

  #unindex(user: User): void {
    this.#byEmail.delete(user.email.toLowerCase());
    const name = user.fullName.toLowerCase();
    const namesakes = this.#byName.get(name);
    namesakes?.delete(user);
    if (namesakes?.size === 0) this.#byName.delete(name);
  }
}

/** State patch: `{ put: User[] }`. A user who is no longer active loses the event queues. */
export const users: Slice<Users> = {
  name: "users",
  async load(tx, organizationId) {
    const all = new Users();
    for (const user of await listUsers(tx, organizationId)) all.put(user);
    return all;
  },
  apply(state, patch, live) {
    for (const user of (patch as { put: User[] }).put) {
      state.put(user);
      if (user.isActive) continue;
      for (const queue of live.queuesOfUser.get(user.id) ?? []) live.removeQueue(queue);
    }
  },
};
