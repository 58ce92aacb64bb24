import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { roles } from "../../api/roles.ts";
import { settingOf } from "../organization/setting.ts";
import { patchOf } from "../platform/log/projection.ts";
import { announceName } from "./events.ts";
import { parseFreeName } from "./free-name.ts";
import { updateUser } from "./store.ts";
import { type User, users } from "./user.ts";
import type { ViewerChange } from "./viewer/change.ts";

/**
 * Changes the viewer's own name, and returns the viewer's account as it is then. All clients get an event.
 * Throws what `parseFreeName` throws.
 */
export async function changeOwnName(tx: ViewerChange, text: string): Promise<User> {
  const { state } = tx;
  const { user } = tx.viewer;
  const isDisabled = settingOf(state, organizationSettings.nameChangesDisabled);
  // COMPAT: a name that may not be changed is no error, so that the other settings of a request are changed.
  if (isDisabled && user.role > roles.administrator) return user;
  const fullName = parseFreeName(state, text, user);
  if (fullName === user.fullName) return user;
  const next = { ...user, fullName };
  await updateUser(tx, state.organizationId, next);
  tx.appendPatch(patchOf(users, { put: [next] }));
  announceName(tx, next);
  return next;
}
