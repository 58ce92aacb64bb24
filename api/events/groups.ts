import { Type } from "typebox";
import { event } from "../event.ts";

const members = {
  group_id: Type.Integer({ description: "The group." }),
  user_ids: Type.Array(Type.Integer(), { description: "The people." }),
};

export const groupMembersAdded = event({
  type: "user_group",
  op: "add_members",
  description:
    "People are direct members of a group from now on: they were added to it, or got the role that it stands for, or their account was reactivated.",
  payload: members,
  example: { group_id: 3, user_ids: [10] },
});

export const groupMembersRemoved = event({
  type: "user_group",
  op: "remove_members",
  description:
    "People are not direct members of a group any more: they were removed from it, or have another role, or their account was deactivated.",
  payload: members,
  example: { group_id: 3, user_ids: [10] },
});
