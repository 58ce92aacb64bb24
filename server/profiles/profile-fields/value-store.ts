import type { OrganizationId, ProfileFieldId, UserId } from "../../../api/ids.ts";
import type { Queryable } from "../../platform/db/database.ts";
import { type Sql, sql } from "../../platform/db/sql.ts";

/** What a person answered. */
export interface ProfileValue {
  fieldId: ProfileFieldId;
  value: string;
  /** HTML; null for types that take no Markdown. */
  renderedValue: string | null;
}

export async function listValuesOf(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<ProfileValue[]> {
  return tx.query(sql`
    select field_id as "fieldId", value, rendered_value as "renderedValue" from profile_field_values
    where organization_id = ${organizationId} and user_id = ${userId} order by field_id`);
}

/** The next people after one who have values, and whether the HTML of these has `mention`. */
export async function listPeopleMentioning(
  db: Queryable,
  organizationId: OrganizationId,
  mention: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ userId: UserId; mentions: boolean }[]> {
  return db.query(sql`
    select user_id as "userId", coalesce(bool_or(position(${mention} in rendered_value) > 0), false) as mentions
    from profile_field_values where organization_id = ${organizationId} and user_id > ${after}
    group by user_id order by user_id limit ${limit}`);
}

/**
 * Each person's `profile_data` as JSON, with the fields in the order of their ids; people without values are
 * missing. For 10,000 people with five values each, rows of their own would take a node several times as long
 * to read. So PostgreSQL writes the JSON of the values, and one text for each field.
 */
export async function listProfileData(
  tx: Queryable,
  organizationId: OrganizationId,
  userIds?: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  const among: Sql = userIds === undefined ? sql`` : sql`and user_id = any(${userIds}::bigint[])`;
  const rows = await tx.query<{ fieldId: ProfileFieldId; lines: string }>(sql`
    select field_id as "fieldId", string_agg(
      '{"value":' || to_json(value) || coalesce(',"rendered_value":' || to_json(rendered_value), '') || '}'
        || user_id, E'\n') as lines
    from profile_field_values where organization_id = ${organizationId} ${among}
    group by field_id order by field_id`);
  const members = new Map<UserId, string>();
  for (const { fieldId, lines } of rows) addMembers(members, fieldId, lines);
  for (const [userId, text] of members) members.set(userId, `{${text}}`);
  return members;
}

/** Each line is a value as JSON, which has no line breaks, and after it the id of the person. */
function addMembers(members: Map<UserId, string>, fieldId: ProfileFieldId, lines: string): void {
  for (let start = 0, end = 0; start < lines.length; start = end + 1) {
    end = lines.indexOf("\n", start);
    if (end === -1) end = lines.length;
    const afterValue = lines.lastIndexOf("}", end) + 1;
    const userId = Number(lines.slice(afterValue, end)) as UserId;
    const member = `"${fieldId}":${lines.slice(start, afterValue)}`;
    const before = members.get(userId);
    members.set(userId, before === undefined ? member : `${before},${member}`);
  }
}

export async function upsertValues(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  values: readonly ProfileValue[],
): Promise<void> {
  await tx.query(sql`
    insert into profile_field_values (organization_id, user_id, field_id, value, rendered_value)
    select ${organizationId}, ${userId}, field_id, value, rendered_value
    from unnest(${values.map(({ fieldId }) => fieldId)}::bigint[], ${values.map(({ value }) => value)}::text[],
      ${values.map(({ renderedValue }) => renderedValue)}::text[]) as given (field_id, value, rendered_value)
    on conflict (organization_id, user_id, field_id) do update
    set value = excluded.value, rendered_value = excluded.rendered_value`);
}

export async function deleteValues(
  tx: Queryable,
  organizationId: OrganizationId,
  userId: UserId,
  fieldIds: readonly ProfileFieldId[],
): Promise<void> {
  await tx.query(sql`
    delete from profile_field_values
    where organization_id = ${organizationId} and user_id = ${userId} and field_id = any(${fieldIds}::bigint[])`);
}

/** Deletes everybody's values of a field, except for the given ones. */
export async function deleteOtherValues(
  tx: Queryable,
  organizationId: OrganizationId,
  fieldId: ProfileFieldId,
  kept: readonly string[],
): Promise<void> {
  await tx.query(sql`
    delete from profile_field_values
    where organization_id = ${organizationId} and field_id = ${fieldId} and value <> all(${kept}::text[])`);
}
