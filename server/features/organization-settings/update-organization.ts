import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import type { OrganizationGroupSetting, OrganizationSetting } from "../../../api/setting.ts";
import type { Change } from "../../platform/log/change.ts";
import type { EventPayload } from "../../platform/log/log-entry.ts";
import { accessChannel } from "../channels/access.ts";
import type { GroupValue } from "../groups/group.ts";
import { groupSettingOf } from "../groups/group-setting.ts";
import { type GroupValueChange, isSameGroupValue, parseGroupSettingUpdate } from "../groups/group-value.ts";
import { changeOrganization } from "../organization/actions.ts";
import { parseOrganizationName } from "../organization/names.ts";
import { organization } from "../organization/organization.ts";
import { settingOf } from "../organization/setting.ts";
import type { Viewer } from "../users/viewer.ts";

const NO_CHANNEL = -1;

/** What a request asks for; a setting without a value stays as it is. */
export interface OrganizationRequest {
  name: string | undefined;
  values: ReadonlyMap<OrganizationSetting, unknown>;
  permissions: ReadonlyMap<OrganizationGroupSetting, GroupValueChange | undefined>;
}

/**
 * Changes settings of the organization, all of those asked for or none. Everybody hears of what is now different. Refuses
 * a viewer whose role is not enough for one of the settings, and a name from anyone but an administrator.
 */
export async function updateOrganization(
  tx: Change,
  viewer: Viewer,
  request: OrganizationRequest,
): Promise<void> {
  const values = changedValues(viewer, request.values);
  const permissions = changedPermissions(viewer, request.permissions);
  if (request.name !== undefined) requireRole(viewer, { changedBy: "administrator" });
  const name = request.name === undefined ? undefined : parseOrganizationName(request.name);
  const isRenamed = name !== undefined && name !== viewer.state.get(organization).name;
  const changes = [...(isRenamed ? [["name", name] as const] : []), ...alone(values)];
  const events: EventPayload[] = changes.map(([property, value]) => ({
    type: "realm",
    op: "update",
    property,
    value,
  }));
  const together = { ...inDictionary(values), ...permissions };
  if (Object.keys(together).length > 0) {
    events.push({ type: "realm", op: "update_dict", property: "default", data: together });
  }
  const [first, ...others] = events;
  if (!first) return;
  const settings = { ...toStore(values), ...permissions };
  await changeOrganization(tx, { ...(isRenamed ? { name } : undefined), settings }, [first, ...others]);
}

type Changes = (readonly [OrganizationSetting, unknown])[];

function changedValues(viewer: Viewer, asked: OrganizationRequest["values"]): Changes {
  const changes: Changes = [];
  for (const [setting, given] of asked) {
    if (given === undefined) continue;
    requireRole(viewer, setting);
    const value = typeof given === "string" && given in setting.words ? setting.words[given] : given;
    if (value === settingOf(viewer.state, setting)) continue;
    if (setting.isChannel && value !== NO_CHANNEL) accessChannel(viewer, value as number);
    changes.push([setting, value]);
  }
  return changes;
}

function changedPermissions(
  viewer: Viewer,
  asked: OrganizationRequest["permissions"],
): Record<string, GroupValue> {
  const changes: Record<string, GroupValue> = {};
  for (const [setting, change] of asked) {
    if (change === undefined) continue;
    requireRole(viewer, setting);
    const current = groupSettingOf(viewer.state, setting);
    const value = parseGroupSettingUpdate(viewer.state, setting, current, change);
    if (!isSameGroupValue(value, current)) changes[setting.name] = value;
  }
  return changes;
}

function requireRole(viewer: Viewer, setting: { changedBy: "administrator" | "owner" }): void {
  if (viewer.user.role > roles.administrator) throw new ApiError(errors.mustBeAdministrator);
  if (setting.changedBy === "owner" && viewer.user.role > roles.owner) throw new ApiError(errors.mustBeOwner);
}

function alone(values: Changes): (readonly [string, unknown])[] {
  return values.filter(([setting]) => setting.event === "update").flatMap(withTwins);
}

function inDictionary(values: Changes): Record<string, unknown> {
  return Object.fromEntries(values.filter(([setting]) => setting.event === "update_dict").flatMap(withTwins));
}

function withTwins([setting, value]: Changes[number]): (readonly [string, unknown])[] {
  const twins = Object.entries(setting.twins).map(([name, of]) => [name, of(value)] as const);
  return [[setting.name, value], ...twins];
}

function toStore(values: Changes): Record<string, unknown> {
  return Object.fromEntries(
    values.map(([setting, value]) => [setting.name, value === setting.default ? undefined : value]),
  );
}
