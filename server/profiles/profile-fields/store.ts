import type { OrganizationId, ProfileFieldId } from "../../../api/ids.ts";
import type { ProfileFieldType } from "../../../api/profiles/profile-field-types.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";

/** A field that profiles have. */
export interface ProfileField {
  id: ProfileFieldId;
  type: ProfileFieldType;
  name: string;
  hint: string;
  /** JSON as clients get it; empty for most types. */
  fieldData: string;
  /** Its place among the fields, from 1. */
  order: number;
  isRequired: boolean;
  isEditableByUser: boolean;
  isInSummary: boolean;
}

const columns = sql`id, type, name, hint, field_data as "fieldData", sort_order as "order",
  is_required as "isRequired", is_editable_by_user as "isEditableByUser", is_in_summary as "isInSummary"`;

/** Adds a field after all others. */
export async function insertField(
  tx: Queryable,
  organizationId: OrganizationId,
  field: Omit<ProfileField, "id" | "order">,
): Promise<ProfileField> {
  const [row] = await tx.query<ProfileField>(sql`
    insert into profile_fields (organization_id, type, name, hint, field_data, sort_order, is_required,
      is_editable_by_user, is_in_summary)
    select ${organizationId}, ${field.type}::smallint, ${field.name}, ${field.hint}, ${field.fieldData},
      coalesce(max(sort_order) + 1, 1), ${field.isRequired}, ${field.isEditableByUser}, ${field.isInSummary}
    from profile_fields where organization_id = ${organizationId}
    returning ${columns}`);
  return row as ProfileField;
}

/** All fields in their order. */
export async function listFields(tx: Queryable, organizationId: OrganizationId): Promise<ProfileField[]> {
  return tx.query(sql`
    select ${columns} from profile_fields where organization_id = ${organizationId} order by sort_order, id`);
}

/**
 * The given fields that exist. LOCK: their rows, shared, in the order of their ids. So their options stay as
 * they are to the end of the transaction.
 */
export async function shareFields(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly ProfileFieldId[],
): Promise<ProfileFieldId[]> {
  const rows = await tx.query<{ id: ProfileFieldId }>(sql`
    select id from profile_fields
    where organization_id = ${organizationId} and id = any(${ids}::bigint[]) order by id for share`);
  return rows.map(({ id }) => id);
}

/** LOCK: waits for all who write values of the field. */
export async function updateField(
  tx: Queryable,
  organizationId: OrganizationId,
  field: ProfileField,
): Promise<void> {
  await tx.query(sql`
    update profile_fields
    set name = ${field.name}, hint = ${field.hint}, field_data = ${field.fieldData},
      is_required = ${field.isRequired}, is_editable_by_user = ${field.isEditableByUser},
      is_in_summary = ${field.isInSummary}
    where organization_id = ${organizationId} and id = ${field.id}`);
}

/** Gives each field its place in the list. LOCK: the rows in the order of their ids, as `shareFields`. */
export async function updateFieldOrder(
  tx: Queryable,
  organizationId: OrganizationId,
  ids: readonly ProfileFieldId[],
): Promise<void> {
  await tx.query(sql`
    with locked as materialized (
      select id from profile_fields where organization_id = ${organizationId} order by id for update
    )
    update profile_fields f set sort_order = place.number
    from unnest(${ids}::bigint[]) with ordinality as place (id, number)
    join locked using (id)
    where f.organization_id = ${organizationId} and f.id = place.id`);
}

/** Deletes everybody's values with it. LOCK: waits for all who write values of the field. */
export async function deleteField(
  tx: Queryable,
  organizationId: OrganizationId,
  id: ProfileFieldId,
): Promise<void> {
  await tx.query(sql`delete from profile_fields where organization_id = ${organizationId} and id = ${id}`);
}
