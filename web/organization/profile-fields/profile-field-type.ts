import { type ProfileFieldType, profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import { t } from "../../i18n/t.ts";

const names = Object.keys(profileFieldTypes) as (keyof typeof profileFieldTypes)[];

export function typeLabel(type: ProfileFieldType): string {
  const name = names.find((one) => profileFieldTypes[one].id === type) ?? "SHORT_TEXT";
  return t(`profileFields.type.${name}`);
}

/** For a control. */
export function typeOptions(): { value: string; label: string }[] {
  return names.map((name) => {
    const { id } = profileFieldTypes[name];
    return { value: String(id), label: typeLabel(id) };
  });
}
