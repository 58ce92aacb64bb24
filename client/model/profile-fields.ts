import type { EventOf } from "../../api/event.ts";
import type { profileFieldsChanged } from "../../api/events/profile-fields.ts";
import { profileFieldTypes } from "../../api/profiles/profile-field-types.ts";
import { invariant, plainMap, type Subject } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

export interface ProfileField {
  id: number;
  name: string;
  hint: string;
  type: ProfileFieldRecord["type"];
  order: number;
  /** JSON; empty for most types. */
  fieldData: string;
  isRequired: boolean;
  isEditableByUser: boolean;
  isInSummary: boolean;
}

export type ProfileFieldsEvent = EventOf<typeof profileFieldsChanged>;
type ProfileFieldRecord = ProfileFieldsEvent["fields"][number];

/** The fields that the organization has added to profiles. The values are those of the users. */
export class ProfileFields implements Subject {
  /** In the order in which they are shown. */
  readonly byId = new Map<number, ProfileField>();
  /** Whether the snapshot had them. */
  readonly isKnown: boolean;
  readonly handlers = {
    custom_profile_fields: (event: ProfileFieldsEvent) => this.#replace(event.fields),
  };

  readonly keys = ["custom_profile_fields"];

  private constructor(isKnown: boolean) {
    this.isKnown = isKnown;
  }

  static fromSnapshot(snapshot: WireObject): ProfileFields {
    const fields = new ProfileFields("custom_profile_fields" in snapshot);
    fields.#replace(section<ProfileFieldRecord>(snapshot, "custom_profile_fields"));
    return fields;
  }

  comparable(): unknown {
    return { inOrder: [...this.byId.keys()], fields: plainMap(this.byId, (field) => field) };
  }

  #replace(records: readonly ProfileFieldRecord[]): void {
    this.byId.clear();
    for (const record of records) this.byId.set(record.id, readField(record));
  }
}

export function readField(record: ProfileFieldRecord): ProfileField {
  return {
    id: record.id,
    name: record.name,
    hint: record.hint,
    type: record.type,
    order: record.order,
    fieldData: record.field_data ?? "",
    isRequired: record.required,
    isEditableByUser: record.editable_by_user,
    isInSummary: record.display_in_profile_summary ?? false,
  };
}

/** Whether a value can be in a profile: those of an option are deleted with the option, without events. */
export function canHold({ type, fieldData }: ProfileField, value: string): boolean {
  if (type !== profileFieldTypes.SELECT.id) return true;
  return Object.hasOwn(JSON.parse(fieldData) as object, value);
}

export function checkInvariants(fields: ProfileFields): void {
  const orders = [...fields.byId.values()].map(({ order }) => order);
  const isOrdered = orders.every((order, index) => index === 0 || order > (orders[index - 1] as number));
  invariant(isOrdered, "the profile fields are not in their order");
}
