import type { GroupId, UserId } from "../../api/ids.ts";
import { organizationSettings } from "../../api/organization-settings.ts";
import type { Live } from "../events/live.ts";
import type { Slice } from "../events/slice.ts";
import { settingOf } from "../organization/setting.ts";
import { roles, type User } from "../users/user.ts";
import { listGroups } from "./store.ts";

const DAY_MS = 24 * 3600 * 1000;

/** A group-setting value (spec Conventions 6): a group, or people and groups without a name. */
export type GroupValue = GroupId | { direct_members: UserId[]; direct_subgroups: GroupId[] };

/**
 * Groups that every organization has, with the code that `groups.system_role` holds. Up to `everyone` the code is the
 * least role that belongs to it; each contains those before it.
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
  /** One of the codes of `systemGroups`; null for a group that people made. */
  systemCode: number | null;
  creatorId: UserId | null;
  settings: Record<string, GroupValue>;
  /** UNIX seconds; null for system groups. */
  createdAt: number | null;
  isActive: boolean;
  /** Of named groups only; who belongs to a system group follows from the roles. */
  memberIds: UserId[];
  subgroupIds: GroupId[];
}

export class Groups {
  readonly byId = new Map<GroupId, Group>();
  readonly #byName = new Map<string, Group>();
  readonly #members = new Map<GroupId, ReadonlySet<UserId>>();
  version = 0;

  all(): IterableIterator<Group> {
    return this.byId.values();
  }

  find(id: number): Group | undefined {
    return this.byId.get(id as GroupId);
  }

  findByName(name: string): Group | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  system(name: keyof typeof systemGroups): Group {
    const group = this.findByName(systemGroups[name].name);
    if (!group) throw new Error(`the organization has no group ${systemGroups[name].name}`);
    return group;
  }

  put(group: Group): void {
    const old = this.byId.get(group.id);
    if (old) this.#byName.delete(old.name.toLowerCase());
    this.byId.set(group.id, group);
    this.#byName.set(group.name.toLowerCase(), group);
    this.#members.set(group.id, new Set(group.memberIds));
    this.version++;
  }

  hasDirectMember(groupId: GroupId, userId: UserId): boolean {
    return this.#members.get(groupId)?.has(userId) === true;
  }
}

/** State patch: `{ put: Group[] }`. */
export const groups: Slice<Groups> = {
  name: "groups",
  async load(tx, organizationId) {
    const all = new Groups();
    for (const group of await listGroups(tx, organizationId)) all.put(group);
    return all;
  },
  apply(state, patch) {
    for (const group of (patch as { put: Group[] }).put) state.put(group);
  },
};

/** Whether a user belongs to a group, directly or through its subgroups. */
export function isMember(live: Live, groupId: GroupId, user: User): boolean {
  return search(live, groupId, user, new Set());
}

/** Whether a user is among those whom a group-setting value names. */
export function isInGroupValue(live: Live, value: GroupValue, user: User): boolean {
  if (typeof value === "number") return isMember(live, value, user);
  return (
    value.direct_members.includes(user.id) ||
    value.direct_subgroups.some((groupId) => isMember(live, groupId, user))
  );
}

/** Whether someone counts as more than a newcomer: a member past the waiting period, or of a higher role. */
export function isFullMember(live: Live, user: User): boolean {
  return hasWaited(user, settingOf(live, organizationSettings.waitingPeriodThreshold));
}

/** The groups that someone is a direct member of: that of their role, with so long a waiting period, and those they were put in. */
export function directGroupsOf(live: Live, user: User | undefined, waitingDays: number): Set<GroupId> {
  const ids = new Set<GroupId>();
  if (!user?.isActive) return ids;
  for (const group of live.get(groups).all()) {
    const { systemCode, id } = group;
    const isFull = user.role === roles.member && hasWaited(user, waitingDays);
    const isDirect =
      systemCode === null
        ? live.get(groups).hasDirectMember(id, user.id)
        : systemCode === user.role || (systemCode === systemGroups.fullMembers.code && isFull);
    if (isDirect) ids.add(id);
  }
  return ids;
}

function hasWaited(user: User, waitingDays: number): boolean {
  if (user.role !== roles.member) return user.role < roles.member;
  return waitingDays === 0 || Date.parse(user.joinedAt) + waitingDays * DAY_MS <= Date.now();
}

function search(live: Live, groupId: GroupId, user: User, seen: Set<GroupId>): boolean {
  if (seen.has(groupId)) return false;
  seen.add(groupId);
  const all = live.get(groups);
  const group = all.byId.get(groupId);
  if (!group?.isActive || !user.isActive) return false;
  if (group.systemCode !== null) return isInSystemGroup(live, group.systemCode, user);
  if (all.hasDirectMember(groupId, user.id)) return true;
  return group.subgroupIds.some((subgroupId) => search(live, subgroupId, user, seen));
}

function isInSystemGroup(live: Live, code: number, user: User): boolean {
  if (code === systemGroups.fullMembers.code) return isFullMember(live, user);
  return user.role <= code;
}
