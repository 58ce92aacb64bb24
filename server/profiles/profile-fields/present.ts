import type { ProfileFieldRecord } from "../../../api/profiles/profile-field.ts";
import { profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import type { ProfileField } from "./store.ts";

/** A field as everyone sees it: in `custom_profile_fields`, and in events. */
export function presentField(field: ProfileField): ProfileFieldRecord {
  return {
    id: field.id,
    name: field.name,
    hint: field.hint,
    type: field.type,
    order: field.order,
    field_data: field.fieldData,
    required: field.isRequired,
    editable_by_user: field.isEditableByUser,
    ...(field.isInSummary && { display_in_profile_summary: true }),
  };
}

/** A field in the listing, where pronouns have no `field_data` (spec Custom profile field). */
export function presentListedField(field: ProfileField): ProfileFieldRecord {
  const { field_data, ...others } = presentField(field);
  return field.type === profileFieldTypes.PRONOUNS.id ? others : { ...others, field_data };
}
