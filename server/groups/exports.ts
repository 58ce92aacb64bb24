import type { ModuleExports } from "../module-exports.ts";
import { type Group, groups, systemGroups } from "./group.ts";

export const groupExports: ModuleExports = {
  tables: ["groups", "group_members", "group_subgroups"],
  leftOut: {
    group_intervals:
      "Who was in a group before decides what mentions meant, and the flags of messages have that.",
    former_waiting_periods: "Old values of a setting, which say who was a full member when.",
  },
  records: ({ state }) => ({ groups: groupRecords([...state.get(groups).all()]) }),
};

function* groupRecords(all: readonly Group[]): Generator<object> {
  for (const group of all) yield groupRecord(group);
}

function groupRecord(group: Group) {
  const system = Object.values(systemGroups).find(({ code }) => code === group.systemCode);
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    is_system: system !== undefined,
    creator_id: group.creatorId,
    date_created: group.createdAt,
    is_active: group.isActive,
    settings: group.settings,
    member_ids: group.memberIds,
    subgroup_ids: group.subgroupIds,
  };
}
