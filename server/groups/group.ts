import { organizationSettings } from "../../api/administration/organization-settings.ts";
import type { GroupId, UserId } from "../../api/ids.ts";
import { type Role, roles } from "../../api/roles.ts";
import type { SystemGroupName } from "../../api/setting.ts";
import { settingOf } from "../organization/setting.ts";
import type { User } from "../people/user.ts";
import type { OrganizationState } from "../platform/log/organization-state.ts";
import type { Projection } from "../platform/log/projection.ts";
import { NameIndex } from "../platform/std/name-index.ts";
import { Closure } from "./nested-groups.ts";
import { listGroups } from "./store.ts";

export const DAY_MS = 24 * 3600 * 1000;

/** A group-setting value (spec Conventions 6): a group, or people and groups without a name. */
export type GroupValue = GroupId | { direct_members: UserId[]; direct_subgroups: GroupId[] };

/**
 * Groups that every organization has, with the code that `groups.system_role` holds. Up to `everyone`,
 * the code is the lowest role in the group, and each group contains those before it.
 */
export const systemGroups = {
  nobody: { name: "role:nobody", code: 0, description: "Nobody" },
  owners: { name: "role:owners", code: roles.owner, description: "Owners of this organization" },
  administrators: {
    name: "role:administrators",
    code: roles.administrator,
    description: "Administrators and owners",
  },
  moderators: {
    name: "role:moderators",
    code: roles.moderator,
    description: "Moderators and those above them",
  },
  fullMembers: { name: "role:fullmembers", code: 390, description: "Members past the waiting period" },
  members: { name: "role:members", code: roles.member, description: "Everyone but guests" },
  everyone: { name: "role:everyone", code: roles.guest, description: "Everyone in this organization" },
  internet: { name: "role:internet", code: 700, description: "Everyone on the internet" },
} as const;

/** A group, as every node keeps it in memory. */
export interface Group {
  id: GroupId;
  name: string;
  description: string;
  /** One of the codes of `systemGroups`; null for a custom group. */
  systemCode: number | null;
  creatorId: UserId | null;
  settings: Record<string, GroupValue>;
  /** UNIX seconds; null for system groups. */
  createdAt: number | null;
  isActive: boolean;
  /** For custom groups only: the members of a system group follow from roles. */
  memberIds: readonly UserId[];
  subgroupIds: readonly GroupId[];
}

/** The changes of one group. */
export interface GroupChange {
  id: GroupId;
  fields?: Partial<Pick<Group, "name" | "description" | "settings" | "isActive">>;
  added?: readonly UserId[];
  removed?: readonly UserId[];
  addedSubgroups?: readonly GroupId[];
  removedSubgroups?: readonly GroupId[];
}

export interface GroupsPatch {
  put?: readonly Group[];
  change?: readonly GroupChange[];
  remove?: readonly GroupId[];
}

const none: ReadonlySet<never> = new Set<never>();

/** All groups of an organization, and who is in them. */
export class Groups {
  readonly byId: Map<GroupId, Group>;
  readonly #byName: NameIndex<Group>;
  /**
   * The custom groups that a person was added to. A copy shares the sets with the original until it
   * changes one.
   */
  readonly #ofUser: Map<UserId, Set<GroupId>>;
  readonly #isCopy: boolean;
  #closure: Closure | undefined;
  /** Grows with every change, so that caches derived from all groups can tell when they are stale. */
  version = 0;

  /**
   * A copy of `other`, to see what a change would do. The original must not change while the copy is
   * used.
   */
  constructor(other?: Groups) {
    this.#isCopy = other !== undefined;
    this.byId = new Map(other?.byId);
    this.#byName = new NameIndex(other === undefined ? undefined : other.#byName);
    this.#ofUser = new Map(other === undefined ? [] : other.#ofUser);
  }

  all(): IterableIterator<Group> {
    return this.byId.values();
  }

  find(id: number): Group | undefined {
    return this.byId.get(id as GroupId);
  }

  findByName(name: string): Group | undefined {
    return this.#byName.find(name);
  }

  system(name: keyof typeof systemGroups): Group {
    const group = this.findByName(systemGroups[name].name);
    if (!group) throw new Error(`the organization has no group ${systemGroups[name].name}`);
    return group;
  }

  /** The custom groups that a person is a direct member of, deactivated groups too. */
  of(userId: UserId): ReadonlySet<GroupId> {
    return this.#ofUser.get(userId) ?? none;
  }

  hasDirectMember(groupId: GroupId, userId: UserId): boolean {
    return this.of(userId).has(groupId);
  }

  get closure(): Closure {
    this.#closure ??= new Closure(this.byId.values());
    return this.#closure;
  }

  apply({ put = [], change = [], remove = [] }: GroupsPatch): void {
    for (const group of put) this.put(group);
    for (const each of change) this.#change(each);
    for (const id of remove) this.#remove(id);
  }

  put(group: Group): void {
    const old = this.byId.get(group.id);
    this.#replace(old, group);
    this.#closure = undefined;
    for (const userId of old?.memberIds ?? []) this.#leave(userId, group.id);
    for (const userId of group.memberIds) this.#join(userId, group.id);
  }

  #change({ id, fields, added = [], removed = [], addedSubgroups = [], removedSubgroups = [] }: GroupChange) {
    const old = this.byId.get(id);
    if (!old) return;
    this.#replace(old, {
      ...old,
      ...fields,
      memberIds: changed(old.memberIds, added, removed),
      subgroupIds: changed(old.subgroupIds, addedSubgroups, removedSubgroups),
    });
    if (addedSubgroups.length > 0 || removedSubgroups.length > 0 || fields?.isActive !== undefined) {
      this.#closure = undefined;
    }
    for (const userId of removed) this.#leave(userId, id);
    for (const userId of added) this.#join(userId, id);
  }

  #remove(id: GroupId): void {
    const group = this.byId.get(id);
    if (!group) return;
    for (const userId of group.memberIds) this.#leave(userId, id);
    this.byId.delete(id);
    this.#byName.remove(group);
    this.#closure = undefined;
    this.version++;
  }

  #replace(old: Group | undefined, group: Group): void {
    if (old) this.#byName.remove(old);
    this.byId.set(group.id, group);
    this.#byName.add(group);
    this.version++;
  }

  #join(userId: UserId, groupId: GroupId): void {
    this.#setOf(userId).add(groupId);
    this.#closure?.forget(userId);
  }

  #leave(userId: UserId, groupId: GroupId): void {
    this.#setOf(userId).delete(groupId);
    this.#closure?.forget(userId);
  }

  #setOf(userId: UserId): Set<GroupId> {
    const known = this.#ofUser.get(userId);
    if (known && !this.#isCopy) return known;
    const set = new Set(known);
    this.#ofUser.set(userId, set);
    return set;
  }
}

function changed<T extends number>(
  ids: readonly T[],
  added: readonly T[],
  removed: readonly T[],
): readonly T[] {
  if (added.length === 0 && removed.length === 0) return ids;
  const set = new Set([...ids, ...added]);
  for (const id of removed) set.delete(id);
  return [...set].sort((one, other) => one - other);
}

export const groups: Projection<Groups, GroupsPatch> = {
  name: "groups",
  async load(tx, organizationId) {
    const all = new Groups();
    for (const group of await listGroups(tx, organizationId)) all.put(group);
    return all;
  },
  apply(value, patch) {
    value.apply(patch);
  },
};

/**
 * Whether a user belongs to an active group, directly or through its subgroups. `at`: the time at which the
 * waiting period of new members is looked at, in UNIX milliseconds.
 */
export function isMember(state: OrganizationState, groupId: GroupId, user: User, at?: number): boolean {
  if (!user.isActive || user.isSystem) return false;
  const all = state.get(groups);
  const { closure } = all;
  return (
    closure.holds(groupId, user.id, all.of(user.id)) ||
    isInSystemGroup(state, closure.systemCodeIn(groupId), user, at)
  );
}

/** Whether a group-setting value includes a user. */
export function isInGroupValue(state: OrganizationState, value: GroupValue, user: User): boolean {
  if (typeof value === "number") return isMember(state, value, user);
  return (
    value.direct_members.includes(user.id) ||
    value.direct_subgroups.some((groupId) => isMember(state, groupId, user))
  );
}

/** Whether a user is more than a new member: a member past the waiting period, or of a higher role. */
export function isFullMember(state: OrganizationState, user: User): boolean {
  return hasWaited(user, settingOf(state, organizationSettings.waitingPeriodThreshold), Date.now());
}

/**
 * The groups that a user is a direct member of. These are the group of their role, by this waiting period,
 * and the groups they were added to.
 */
export function directGroupsOf(
  state: OrganizationState,
  user: User | undefined,
  waitingDays: number,
): Set<GroupId> {
  if (!user?.isActive || user.isSystem) return new Set();
  const all = state.get(groups);
  const ids = new Set(all.of(user.id));
  const isFull = user.role === roles.member && hasWaited(user, waitingDays, Date.now());
  for (const name of systemGroupNames) {
    const { code } = systemGroups[name];
    if (code === user.role || (code === systemGroups.fullMembers.code && isFull))
      ids.add(all.system(name).id);
  }
  return ids;
}

/** The group of everybody who has exactly this role. */
export function roleGroupOf(all: Groups, role: Role): Group {
  const name = systemGroupNames.find((each) => systemGroups[each].code === role);
  return all.system(name as SystemGroupName);
}

const systemGroupNames = Object.keys(systemGroups) as SystemGroupName[];

function hasWaited(user: User, waitingDays: number, at: number): boolean {
  if (user.role !== roles.member) return user.role < roles.member;
  return waitingDays === 0 || Date.parse(user.joinedAt) + waitingDays * DAY_MS <= at;
}

function isInSystemGroup(state: OrganizationState, code: number, user: User, at?: number): boolean {
  if (code !== systemGroups.fullMembers.code) return user.role <= code;
  return hasWaited(user, settingOf(state, organizationSettings.waitingPeriodThreshold), at ?? Date.now());
}
