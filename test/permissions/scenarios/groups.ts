/** The causes of events of groups. */
import {
  groupAdded,
  groupMembersAdded,
  groupMembersRemoved,
  groupRemoved,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from "../../../api/events/groups.ts";
import { updateUserGroupMembers, updateUserGroupSubgroups } from "../../../api/groups/group-members.ts";
import { createUserGroup, deleteUserGroup, updateUserGroup } from "../../../api/groups/groups.ts";
import { type Scenario, type Scene, toAll } from "../scenario.ts";

export const groupScenarios: readonly Scenario[] = [
  toAll(groupAdded, "everyone", group),
  toAll(groupUpdated, "everyone", async (scene) => {
    const user_group_id = await group(scene);
    scene.begin();
    await scene.olga(updateUserGroup, { user_group_id, description: "Who cooks" });
  }),
  toAll(groupMembersAdded, "everyone", async (scene) => {
    const user_group_id = await group(scene);
    scene.begin();
    await scene.olga(updateUserGroupMembers, { user_group_id, add: [scene.pat.id] });
  }),
  toAll(groupMembersRemoved, "everyone", async (scene) => {
    const user_group_id = await group(scene);
    scene.begin();
    await scene.olga(updateUserGroupMembers, { user_group_id, delete: [scene.olgaId] });
  }),
  toAll(subgroupsAdded, "everyone", async (scene) => {
    const [user_group_id, part] = [await group(scene), await group(scene, "part of ")];
    scene.begin();
    await scene.olga(updateUserGroupSubgroups, { user_group_id, add: [part] });
  }),
  toAll(subgroupsRemoved, "everyone", async (scene) => {
    const [user_group_id, part] = [await group(scene), await group(scene, "part of ")];
    await scene.olga(updateUserGroupSubgroups, { user_group_id, add: [part] });
    scene.begin();
    await scene.olga(updateUserGroupSubgroups, { user_group_id, delete: [part] });
  }),
  toAll(groupRemoved, "everyone", async (scene) => {
    const user_group_id = await group(scene);
    scene.begin();
    await scene.olga(deleteUserGroup, { user_group_id });
  }),
];

/** Creates a group with olga as its only member. */
async function group({ olga, olgaId, freshName }: Scene, prefix = ""): Promise<number> {
  const { group_id } = await olga(createUserGroup, {
    name: prefix + freshName,
    description: "",
    members: [olgaId],
  });
  return group_id;
}
