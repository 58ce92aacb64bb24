import { ApiError, errors } from "../../../api/errors.ts";
import { type Role, roles } from "../../../api/roles.ts";
import { hashPassword, parsePassword } from "../../platform/crypto/passwords.ts";
import { runStateChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { type Channel, channels } from "../channels/channel.ts";
import { subscribe } from "../channels/subscriptions/subscribe.ts";
import { createUser } from "../users/actions.ts";
import { currentViewer } from "../users/current-viewer.ts";
import type { User } from "../users/user.ts";
import type { Viewer } from "../users/viewer.ts";

export interface NewPerson {
  email: string;
  fullName: string;
  password: string;
  role: Role;
}

/**
 * Creates an account for a person and subscribes it to the default channels, unless it is a guest's. All
 * clients get an event. Throws mustBeAdministrator for a viewer who is not an administrator.
 */
export async function createPerson(
  { keyring }: Services,
  viewer: Viewer,
  { email, fullName, password, role }: NewPerson,
): Promise<User> {
  const { state } = viewer;
  const passwordHash = await hashPassword(parsePassword(password));
  return runStateChange(state, async (tx) => {
    if (currentViewer(viewer).user.role > roles.administrator) throw new ApiError(errors.mustBeAdministrator);
    const user = await createUser(tx, keyring, { email, fullName, role, passwordHash });
    const defaults = role === roles.guest ? [] : [...state.get(channels).all()].filter(isOpenByDefault);
    if (defaults.length > 0) await subscribe(tx, defaults, [user]);
    return user;
  });
}

function isOpenByDefault({ isDefault, isArchived }: Channel): boolean {
  return isDefault && !isArchived;
}
