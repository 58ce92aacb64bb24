import { invitationsChanged } from "../../../api/events/invitations.ts";
import type { UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { users } from "../../people/user.ts";
import type { Change } from "../../platform/log/change.ts";
import { toUsers } from "../../platform/log/log-entry.ts";

/** For administrators and the inviters. */
export function announceInvitations(tx: Change, inviterIds: readonly UserId[]): void {
  const administrators = [...tx.state.get(users).all()].filter(
    ({ isActive, botType, role }) => isActive && botType === null && role <= roles.administrator,
  );
  const ids = new Set([...inviterIds, ...administrators.map(({ id }) => id)]);
  tx.append(invitationsChanged, {}, toUsers(ids));
}
