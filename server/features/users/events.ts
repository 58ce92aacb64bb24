import { userActivated, userAdded, userTimezoneChanged } from "../../../api/events/users.ts";
import type { Change } from "../../platform/log/change.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { presentUser } from "./present.ts";
import { type User, users } from "./user.ts";

export function announceUser(tx: Change, user: User): void {
  const person = presentUser(user, { clientGravatar: false, profileData: true });
  tx.append(userAdded, { person }, everyone, patchOf(users, { put: [user] }));
}

export function announceDeactivation(tx: Change, user: User): void {
  const person = { user_id: user.id, is_active: false };
  tx.append(userActivated, { person }, everyone, patchOf(users, { put: [{ ...user, isActive: false }] }));
}

/** Carries no patch: the event of the changed setting has it. */
export function announceTimezone(tx: Change, user: User): void {
  const person = { user_id: user.id, timezone: user.timezone, email: user.email };
  tx.append(userTimezoneChanged, { person }, everyone);
}
