import { mutedUsersChanged } from "../events/muted-users.ts";
import { registerSection } from "../register-section.ts";

export const registerMutedUsers = registerSection({
  fields: { muted_users: mutedUsersChanged.payload.muted_users },
});
