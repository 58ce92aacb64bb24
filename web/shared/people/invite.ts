import { hasPermission } from "../../../client/permissions.ts";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";

/** Where people are invited, and the list of open invitations. */
export const inviteLink = "#organization/invitations";

/** By mail or by a link. */
export function mayInvite(): boolean {
  return (
    hasPermission(state.model, "can_invite_users_group") ||
    hasPermission(state.model, "create_multiuse_invite_group")
  );
}

export const mayInviteSignal = () => live(["organization", "groups", "users", "generation"], mayInvite);

/** Whether the organization has nobody else yet. Bots are nobody. */
export const isAloneSignal = () =>
  live(["users", "generation"], () => {
    const { users, viewer } = state.model;
    for (const { id, isActive, isBot } of users.byId.values()) {
      if (isActive && !isBot && id !== viewer.id) return false;
    }
    return true;
  });
