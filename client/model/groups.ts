import type { EventOf } from "../../api/event.ts";
import type {
  groupAdded,
  groupMembersAdded,
  groupMembersRemoved,
  groupRemoved,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from "../../api/events/groups.ts";
import { invariant, plainMap, type Subject, sorted } from "./subject.ts";
import { type GroupSetting, readName, readValue, section, type WireObject } from "./wire.ts";

export interface Group {
  id: number;
  name: string;
  description: string;
  isSystem: boolean;
  isDeactivated: boolean;
  creatorId: number | null;
  /** UNIX seconds; null for system groups. */
  createdAt: number | null;
  memberIds: Set<number>;
  subgroupIds: Set<number>;
  /** The group's permissions, by the setting's name in the model, such as `canManageGroup`. */
  settings: Record<string, GroupSetting>;
}

interface GroupRecord extends WireObject {
  id: number;
  members: number[];
  direct_subgroup_ids: number[];
}

type GroupEvent =
  | EventOf<typeof groupAdded>
  | EventOf<typeof groupUpdated>
  | EventOf<typeof groupMembersAdded>
  | EventOf<typeof groupMembersRemoved>
  | EventOf<typeof subgroupsAdded>
  | EventOf<typeof subgroupsRemoved>
  | EventOf<typeof groupRemoved>;

const renamed = {
  name: "name",
  description: "description",
  is_system_group: "isSystem",
  deactivated: "isDeactivated",
  creator_id: "creatorId",
  date_created: "createdAt",
} as const;

/** User groups, including the organization's system groups. */
export class Groups implements Subject {
  readonly byId = new Map<number, Group>();
  readonly handlers = {
    user_group: (event: GroupEvent) => this.handleGroupEvent(event),
  };

  readonly keys = ["realm_user_groups"];

  static fromSnapshot(snapshot: WireObject): Groups {
    const groups = new Groups();
    for (const record of section<GroupRecord>(snapshot, "realm_user_groups")) groups.#put(record);
    return groups;
  }

  /** Whether a user is in a group, directly or through its subgroups. */
  isMember(groupId: number, userId: number, seen: ReadonlySet<number> = new Set()): boolean {
    const group = this.byId.get(groupId);
    if (!group || group.isDeactivated || seen.has(groupId)) return false;
    if (group.memberIds.has(userId)) return true;
    const visited = new Set(seen).add(groupId);
    return [...group.subgroupIds].some((subgroupId) => this.isMember(subgroupId, userId, visited));
  }

  /** Whether a user is among those whom a permission names. */
  includes(setting: GroupSetting, userId: number): boolean {
    if (typeof setting === "number") return this.isMember(setting, userId);
    return (
      setting.directMembers.includes(userId) ||
      setting.directSubgroups.some((groupId) => this.isMember(groupId, userId))
    );
  }

  handleGroupEvent(event: GroupEvent): void {
    if (event.op === "add") this.#put(event.group);
    else if (event.op === "remove") this.byId.delete(event.group_id);
    else this.#change(event);
  }

  comparable(): unknown {
    return plainMap(this.byId, ({ memberIds, subgroupIds, ...group }) => ({
      ...group,
      memberIds: sorted(memberIds),
      subgroupIds: sorted(subgroupIds),
    }));
  }

  #change(event: Exclude<GroupEvent, { op: "add" | "remove" }>): void {
    const group = this.byId.get(event.group_id);
    if (!group) return;
    if (event.op === "update") assign(group, event.data);
    else if (event.op === "add_members") for (const id of event.user_ids) group.memberIds.add(id);
    else if (event.op === "remove_members") for (const id of event.user_ids) group.memberIds.delete(id);
    else if (event.op === "add_subgroups")
      for (const id of event.direct_subgroup_ids) group.subgroupIds.add(id);
    else for (const id of event.direct_subgroup_ids) group.subgroupIds.delete(id);
  }

  #put({ id, members, direct_subgroup_ids, ...fields }: GroupRecord): void {
    const group = {
      id,
      memberIds: new Set(members),
      subgroupIds: new Set(direct_subgroup_ids),
      settings: {},
    };
    assign(group, fields);
    this.byId.set(id, group as unknown as Group);
  }
}

/** Every field without a property of its own is a permission. */
function assign(group: { settings: Group["settings"] }, fields: WireObject): void {
  for (const [name, value] of Object.entries(fields)) {
    const target = Object.hasOwn(renamed, name) ? group : group.settings;
    (target as Record<string, unknown>)[readName(name, renamed)] = readValue(value);
  }
}

export function checkInvariants(groups: Groups): void {
  for (const [id, group] of groups.byId) {
    invariant(group.id === id && group.name !== "", `group ${id} has another id or no name`);
    for (const subgroupId of group.subgroupIds) {
      invariant(groups.byId.has(subgroupId), `group ${id} contains group ${subgroupId}, which is not known`);
    }
    for (const [name, setting] of Object.entries(group.settings)) {
      const named = typeof setting === "number" ? [setting] : setting.directSubgroups;
      invariant(
        named.every((groupId) => groups.byId.has(groupId)),
        `group ${id} names an unknown group in ${name}`,
      );
    }
  }
}
