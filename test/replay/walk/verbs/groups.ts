import { actors, type Verbs } from "../walk.ts";

export const groupVerbs: Verbs = {
  "create a group": [
    2,
    async (walk) => {
      const answer = await walk.anybody().post("/user_groups/create", {
        name: walk.pick(["cooks", "gardeners", "smiths", "readers", "singers"]),
        description: "",
        members: walk.someIds(),
        subgroups: walk.some(walk.groups.slice(-3)),
        can_manage_group: { direct_members: walk.ids(["ada", "cleo", "dev"]), direct_subgroups: [] },
      });
      if (answer.status === 200) walk.groups.push(answer.body.group_id);
      return answer;
    },
  ],
  "change the members of a group": [
    6,
    (walk) =>
      walk.anybody().post(`/user_groups/${walk.group()}/members`, {
        [walk.chance(60) ? "add" : "delete"]: walk.ids([walk.pick(actors)]),
        ...(walk.chance(20) ? { add_subgroups: [walk.group()] } : {}),
        ...(walk.chance(20) ? { delete_subgroups: [walk.group()] } : {}),
      }),
  ],
  "deactivate, reactivate or delete a group": [
    3,
    (walk) => {
      const path = `/user_groups/${walk.group()}`;
      const as = walk.as("ada", "cleo", "dev");
      if (walk.chance(40)) return as.patch(path, { deactivated: false });
      return walk.chance(70) ? as.post(`${path}/deactivate`) : as.delete(path);
    },
  ],
};
