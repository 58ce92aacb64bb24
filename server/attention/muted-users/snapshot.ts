import { registerMutedUsers } from "../../../api/register/muted-users.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentMutedUsers } from "./muted-users.ts";
import { ownMutedUsers } from "./store.ts";

export const mutedUserSection = sectionOf(
  registerMutedUsers,
  async ({ own, wants }) => {
    if (!wants("muted_users")) return undefined;
    const muted = await own(ownMutedUsers);
    return { muted_users: presentMutedUsers(muted) };
  },
  ownMutedUsers,
);
