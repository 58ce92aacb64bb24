import { registerMutedUsers } from "../../../api/register/muted-users.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { presentMutedUsers } from "./muted-users.ts";
import { listMutedBy } from "./store.ts";

export const mutedUserSection = sectionOf(registerMutedUsers, async ({ state, viewer, tx, wants }) => {
  if (!wants("muted_users")) return undefined;
  const muted = viewer ? await listMutedBy(tx, state.organizationId, viewer.user.id) : [];
  return { muted_users: presentMutedUsers(muted) };
});
