import { foldName } from "../../api/fold-name.ts";
import type { UserId } from "../../api/ids.ts";
import { botTypes } from "../../api/integrations/bots.ts";
import type { Role } from "../../api/roles.ts";
import { pagesOf } from "../platform/db/pages.ts";
import type { Projection } from "../platform/log/projection.ts";
import { queuesOf, removeQueue } from "../platform/queues/organization-queues.ts";
import { listUsersAfter } from "./store.ts";

/** A bot whose program uses the same API as people's clients. */
export const GENERIC_BOT = botTypes.generic;

/** A person or bot, as every node keeps it in memory. `email` is the one that sign-in and the API use. */
export interface User {
  id: UserId;
  email: string;
  fullName: string;
  role: Role;
  isActive: boolean;
  /** null: a person. 1 generic (`GENERIC_BOT`), 2 incoming webhook, 3 outgoing webhook. */
  botType: number | null;
  botOwnerId: UserId | null;
  /**
   * An account of the service itself. It is in no list and no group; nobody can sign in as it or manage it.
   */
  isSystem: boolean;
  /** Whether the server's operator lets this administrator change the email addresses of others. */
  canChangeEmails: boolean;
  /** Whether nothing is left but the ID and a neutral name. Such an account never comes back. */
  isErased: boolean;
  timezone: string;
  avatarVersion: number;
  /** The name of the files of the uploaded picture; null: there is none. */
  avatarFile: string | null;
  /** ISO 8601. */
  joinedAt: string;
  /** Only what differs from the defaults; read it through `userSettingOf`. */
  settings: Record<string, unknown>;
}

/**
 * All users of an organization, active or not. The service's own accounts can be found, but are in no list.
 */
export class Users {
  /** The service's own accounts too. */
  readonly byId = new Map<UserId, User>();
  readonly #system = new Map<UserId, User>();
  /** The active bots whose programs the server calls. */
  readonly calledBots = new Set<UserId>();
  readonly #byEmail = new Map<string, User>();
  readonly #byName = new Map<string, Set<User>>();
  /** Grows with every change, for caches of what is derived from users. */
  version = 0;

  get size(): number {
    return this.byId.size;
  }

  /** People and their bots. */
  *all(): IterableIterator<User> {
    for (const user of this.byId.values()) if (!user.isSystem) yield user;
  }

  /** The service's own accounts. */
  system(): User[] {
    return [...this.#system.values()];
  }

  find(id: number): User | undefined {
    return this.byId.get(id as UserId);
  }

  /**
   * A person or bot, by id or email. The service's own accounts are left out, since nobody can manage them.
   */
  findManaged(named: number | string): User | undefined {
    const user = typeof named === "number" ? this.find(named) : this.findByEmail(named);
    return user?.isSystem ? undefined : user;
  }

  findByEmail(email: string): User | undefined {
    return this.#byEmail.get(email.trim().toLowerCase());
  }

  /** Active users of that full name, ignoring case. */
  findByName(name: string): User[] {
    return [...(this.#byName.get(foldName(name)) ?? [])].filter((user) => user.isActive);
  }

  put(user: User): void {
    const old = this.byId.get(user.id);
    if (old) this.#unindex(old);
    this.byId.set(user.id, user);
    if (user.isSystem) this.#system.set(user.id, user);
    if (user.isActive && user.botType === botTypes.outgoingWebhook) this.calledBots.add(user.id);
    else this.calledBots.delete(user.id);
    this.#byEmail.set(user.email.toLowerCase(), user);
    const name = foldName(user.fullName);
    const namesakes = this.#byName.get(name);
    if (namesakes) namesakes.add(user);
    else this.#byName.set(name, new Set([user]));
    this.version++;
  }

  #unindex(user: User): void {
    this.#byEmail.delete(user.email.toLowerCase());
    const name = foldName(user.fullName);
    const namesakes = this.#byName.get(name);
    namesakes?.delete(user);
    if (namesakes?.size === 0) this.#byName.delete(name);
  }
}

/** The users that are new or changed, as they now are. */
export interface UsersPatch {
  put: readonly User[];
}

/** The event queues of a user who is deactivated end. */
export const users: Projection<Users, UsersPatch> = {
  name: "users",
  async load(tx, organizationId) {
    const all = new Users();
    const pages = pagesOf<User>((last) => listUsersAfter(tx, organizationId, last));
    for await (const page of pages) for (const user of page) all.put(user);
    return all;
  },
  apply(value, { put }, state) {
    for (const each of put) {
      const user = withLaterFields(each, value.byId.get(each.id));
      value.put(user);
      if (user.isActive) continue;
      for (const queue of queuesOf(state).ofUser(user.id)) removeQueue(state, queue);
    }
  },
};

/** A patch of a node of an earlier version says nothing about an erasure, or not even about the picture. */
function withLaterFields(user: User, before: User | undefined): User {
  if ("avatarFile" in user && "isErased" in user) return user;
  const given: Partial<User> & Omit<User, "avatarFile" | "isErased"> = user;
  return {
    ...given,
    avatarFile: given.avatarFile !== undefined ? given.avatarFile : (before?.avatarFile ?? null),
    isErased: given.isErased ?? before?.isErased ?? false,
  };
}
