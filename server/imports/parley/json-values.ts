/** Objects of JSON in rows: settings, permissions, and what the audit log says of a change. */
import { Check } from "typebox/value";
import { settingsWithOrganizationDefault } from "../../../api/administration/default-user-settings.ts";
import { organizationPermissionList } from "../../../api/administration/organization-permissions.ts";
import { organizationSettingList } from "../../../api/administration/organization-settings.ts";
import { channelPermissionList } from "../../../api/channels/channel-permissions.ts";
import { groupPermissionList } from "../../../api/groups/group-permissions.ts";
import { groupValue } from "../../../api/groups/group-value.ts";
import { userSettingList } from "../../../api/people/user-settings.ts";
import type { JsonKind } from "../../administration/exports/whole/columns.ts";
import { isRow, type Row } from "../archive/row.ts";

export interface KnownIds {
  has(table: string, id: number): boolean;
}

const NO_CHANNEL = -1;

type CheckValue = (value: unknown, known: KnownIds) => boolean;

const isPermission: CheckValue = (value, known) => {
  if (!Check(groupValue, value)) return false;
  if (typeof value === "number") return known.has("groups", value);
  return (
    value.direct_members.every((id) => known.has("users", id)) &&
    value.direct_subgroups.every((id) => known.has("groups", id))
  );
};

const permissions = (list: readonly { name: string }[]) =>
  list.map(({ name }) => [name, isPermission] as const);

const organizationFields = new Map<string, CheckValue>([
  ...organizationSettingList.map(
    ({ name, schema, isChannel }) =>
      [
        name,
        (value: unknown, known: KnownIds) =>
          Check(schema, value) &&
          (!isChannel || value === NO_CHANNEL || known.has("channels", value as number)),
      ] as const,
  ),
  ...permissions(organizationPermissionList),
]);
const userFields = (list: typeof userSettingList) =>
  new Map<string, CheckValue>(list.map(({ name, schema }) => [name, (value) => Check(schema, value)]));

const fields: Readonly<Record<Exclude<JsonKind, "image" | "changes">, ReadonlyMap<string, CheckValue>>> = {
  organization_settings: organizationFields,
  default_user_settings: userFields(settingsWithOrganizationDefault),
  user_settings: userFields(userSettingList),
  // A group that is about to be made has its permissions already, so these may name groups further on.
  group_permissions: new Map(
    groupPermissionList.map(({ name }) => [name, (value) => Check(groupValue, value)]),
  ),
  channel_permissions: new Map(permissions(channelPermissionList)),
};

/**
 * What of an object comes. `lost`: told of each field that does not, because the server has no such field
 * or not such a value. undefined: it is no such object.
 */
export function checkedObject(
  of: JsonKind,
  value: unknown,
  known: KnownIds,
  lost: (name: string) => void,
): Row | undefined {
  if (!isRow(value)) return undefined;
  // Pictures are measured by the import.
  if (of === "image") return {};
  if (of === "changes") return Object.values(value).every(isRow) ? value : undefined;
  const checked: Row = {};
  for (const [name, each] of Object.entries(value)) {
    if (fields[of].get(name)?.(each, known)) checked[name] = each;
    else lost(name);
  }
  return checked;
}
