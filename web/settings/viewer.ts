/** The account whose settings these are. */
import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { roles } from "../../api/roles.ts";
import type { User } from "../../client/model/users.ts";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";

export const viewerSignal = () =>
  live(["users", "viewer", "generation"], () => state.model.users.get(state.model.viewer.id));

export function isAdministrator(user: User | undefined): boolean {
  return user !== undefined && user.role <= roles.administrator;
}

const locks = {
  name: organizationSettings.nameChangesDisabled,
  avatar: organizationSettings.avatarChangesDisabled,
  email: organizationSettings.emailChangesDisabled,
} as const;

/** Whether the organization keeps people from changing this of theirs. Administrators always may. */
export function lockedSignal(what: keyof typeof locks) {
  const isLocked = live(["organization", "generation"], () => {
    const { organization, constants } = state.model;
    return organization.get(locks[what]) || constants[`server_${locks[what].name}`] === true;
  });
  const viewer = viewerSignal();
  return () => isLocked() && !isAdministrator(viewer());
}
