import { groupName } from "../shared/groups/group-name.ts";

export type GroupSection = "general" | "members" | "permissions";

export function groupSettingsLink(groupId: number, section: GroupSection = "general"): string {
  const name = groupName(groupId).replace(/[\s/]+/g, "-");
  return `#groups/${groupId}/${encodeURIComponent(name)}/${section}`;
}
