import type { ProfileFieldId } from "../../../api/ids.ts";
import type { FieldOptions } from "../../../api/profiles/profile-field.ts";
import { profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { listFields, type ProfileField } from "./store.ts";

/** The fields of an organization. The values that people give are kept elsewhere: see `value-store.ts`. */
export class ProfileFields {
  #all: readonly ProfileField[] = [];
  #byId: ReadonlyMap<ProfileFieldId, ProfileField> = new Map();

  /** In their order. */
  get all(): readonly ProfileField[] {
    return this.#all;
  }

  set all(fields: readonly ProfileField[]) {
    this.#all = fields;
    this.#byId = new Map(fields.map((field) => [field.id, field]));
  }

  find(id: number): ProfileField | undefined {
    return this.#byId.get(id as ProfileFieldId);
  }
}

/** Patch: all of them, in their order. */
export const profileFields: Projection<ProfileFields, readonly ProfileField[]> = {
  name: "profile_fields",
  async load(tx, organizationId) {
    const value = new ProfileFields();
    value.all = await listFields(tx, organizationId);
    return value;
  },
  apply(value, patch) {
    value.all = patch;
  },
};

/** The keys of the options of a field that is a list of them; none for other types. */
export function optionKeys({ type, fieldData }: Pick<ProfileField, "type" | "fieldData">): string[] {
  if (type !== profileFieldTypes.SELECT.id) return [];
  return Object.keys(JSON.parse(fieldData) as FieldOptions);
}
