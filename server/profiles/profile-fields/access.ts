import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { profileFields } from "./profile-fields.ts";
import type { ProfileField } from "./store.ts";

/** The field with this id. Throws `profileFieldNotFound`. */
export function accessField(state: OrganizationState, id: number): ProfileField {
  const field = state.get(profileFields).find(id);
  if (!field) throw new ApiError(errors.profileFieldNotFound, { id });
  return field;
}

/**
 * A field whose value the viewer may change, their own one or as an administrator another person's. Throws
 * `profileFieldNotFound`, and `profileFieldNotEditable` for a field that administrators fill in.
 */
export function accessFieldToFill({ state, user }: Viewer, id: number): ProfileField {
  const field = accessField(state, id);
  if (!field.isEditableByUser && user.role > roles.administrator) {
    throw new ApiError(errors.profileFieldNotEditable);
  }
  return field;
}
