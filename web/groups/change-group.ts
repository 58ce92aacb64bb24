import { updateUserGroupMembers } from "../../api/groups/group-members.ts";
import { updateUserGroup } from "../../api/groups/groups.ts";
import type { Group } from "../../client/model/groups.ts";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";

/** Properties by their names in the API. */
export function changeGroup(groupId: number, properties: object): Promise<unknown> {
  const parameters = { user_group_id: groupId, ...properties };
  return state.track(() => state.connection.call(updateUserGroup, parameters));
}

interface MemberChange {
  add?: number[];
  delete?: number[];
  add_subgroups?: number[];
  delete_subgroups?: number[];
}

export function changeMembers(groupId: number, change: MemberChange): Promise<unknown> {
  const parameters = { user_group_id: groupId, ...change };
  return state.track(() => state.connection.call(updateUserGroupMembers, parameters));
}

/**
 * A signal of what `read` gives for a group. It is read again when anything changes that decides who may do
 * what.
 */
export function groupSignal<T>(groupId: number, read: (group: Group) => T, without: T): () => T {
  return live(["groups", "users", "organization", "generation"], () => {
    const group = state.model.groups.byId.get(groupId);
    return group ? read(group) : without;
  });
}
