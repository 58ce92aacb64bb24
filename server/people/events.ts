import { userActivated, userAdded, userRenamed, userTimezoneChanged } from "../../api/events/users.ts";
import type { Change } from "../platform/log/change.ts";
import { everyone } from "../platform/log/log-entry.ts";
import { patchOf } from "../platform/log/projection.ts";
import { shownEmail } from "./email/email-visibility.ts";
import { presentUser } from "./present.ts";
import { type User, users } from "./user.ts";

export function announceUser(tx: Change, user: User): void {
  const person = presentUser(tx.state, user, { clientGravatar: false, profileData: true, reader: user });
  tx.append(userAdded, { person }, everyone, patchOf(users, { put: [user] }));
}

export function announceDeactivation(tx: Change, user: User): void {
  announceActivity(tx, { ...user, isActive: false });
}

export function announceReactivation(tx: Change, user: User): void {
  announceActivity(tx, { ...user, isActive: true });
}

function announceActivity(tx: Change, user: User): void {
  const person = { user_id: user.id, is_active: user.isActive };
  tx.append(userActivated, { person }, everyone, patchOf(users, { put: [user] }));
}

/** Carries no patch: the event of the changed setting has it. */
export function announceTimezone(tx: Change, user: User): void {
  const person = { user_id: user.id, timezone: user.timezone, email: shownEmail(tx.state, user) };
  tx.append(userTimezoneChanged, { person }, everyone);
}

export function announceName(tx: Change, { id, fullName }: User): void {
  tx.append(userRenamed, { person: { user_id: id, full_name: fullName } }, everyone);
}
