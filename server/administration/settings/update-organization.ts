import { Check } from "typebox/value";
import { organizationSettings } from "../../../api/administration/organization-settings.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { roles } from "../../../api/roles.ts";
import type { OrganizationGroupSetting, OrganizationSetting, SettingValue } from "../../../api/setting.ts";
import type { GroupValue } from "../../groups/group.ts";
import { groupSettingOf } from "../../groups/group-setting.ts";
import {
  type GroupValueChange,
  isSameGroupValue,
  parseGroupSettingUpdate,
} from "../../groups/group-value.ts";
import { changeOrganization } from "../../organization/actions.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import { parseOrganizationName } from "../../organization/names.ts";
import { organization } from "../../organization/organization.ts";
import { settingOf } from "../../organization/setting.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import { checkChannelChoice } from "./channel-choice.ts";
import { announceDefaultsByLanguage } from "./update-default-user-settings.ts";

const NO_CHANNEL = -1;

/** The changes that a request asks for. A setting without a value stays as it is. */
export interface OrganizationRequest {
  name: string | undefined;
  values: ReadonlyMap<OrganizationSetting, SettingValue | undefined>;
  permissions: ReadonlyMap<OrganizationGroupSetting, GroupValueChange | undefined>;
}

/**
 * Changes all of the requested settings, or none, and announces the changed ones to everyone. Throws
 * `mustBeAdministrator` or `mustBeOwner` for a viewer whose role is not enough for one of the settings.
 */
export async function updateOrganization(tx: ViewerChange, request: OrganizationRequest): Promise<void> {
  const { viewer } = tx;
  const values = changedValues(viewer, request.values);
  const permissions = changedPermissions(viewer, request.permissions);
  if (request.name !== undefined) checkRole(viewer, { changedBy: "administrator" });
  const name = request.name === undefined ? undefined : parseOrganizationName(request.name);
  const isRenamed = name !== undefined && name !== viewer.state.get(organization).name;
  const alone = [...(isRenamed ? [{ property: "name", value: name }] : []), ...announced(values, "update")];
  const together = {
    ...Object.fromEntries(announced(values, "update_dict").map(({ property, value }) => [property, value])),
    ...permissions,
  };
  if (alone.length === 0 && Object.keys(together).length === 0) return;
  const settings = { ...toStore(values), ...permissions };
  await changeOrganization(tx, { ...(isRenamed ? { name } : undefined), settings }, { alone, together });
  const language = values.find(([{ name }]) => name === organizationSettings.defaultLanguage.name)?.[1];
  if (language !== undefined) announceDefaultsByLanguage(tx, `${language}`);
  const before = valuesBefore(tx, request);
  const after = {
    ...before,
    ...(isRenamed && { name }),
    ...Object.fromEntries(values.map(([setting, value]) => [setting.name, value])),
    ...permissions,
  };
  await recordAudit(tx, { action: "organization_updated", changes: changesBetween(before, after) });
}

/** The present values of everything that the request names. */
function valuesBefore({ state }: ViewerChange, { values, permissions }: OrganizationRequest) {
  return {
    name: state.get(organization).name,
    ...Object.fromEntries([...values.keys()].map((setting) => [setting.name, settingOf(state, setting)])),
    ...Object.fromEntries([...permissions.keys()].map((each) => [each.name, groupSettingOf(state, each)])),
  };
}

type Changes = (readonly [OrganizationSetting, SettingValue])[];

function changedValues(viewer: Viewer, asked: OrganizationRequest["values"]): Changes {
  const changes: Changes = [];
  for (const [setting, given] of asked) {
    if (given === undefined) continue;
    checkRole(viewer, setting);
    const { words } = setting;
    const word = typeof given === "string" && Object.hasOwn(words, given) ? words[given] : undefined;
    const value = word === undefined ? given : word;
    // The endpoint checked what was given, which may be a word. What is stored must be a value.
    if (!Check(setting.schema, value)) throw new ApiError(errors.invalidSettingValue, { name: setting.name });
    if (value === settingOf(viewer.state, setting)) continue;
    if (setting.isChannel && typeof value === "number" && value !== NO_CHANNEL) {
      checkChannelChoice(viewer, setting, value);
    }
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
    checkRole(viewer, setting);
    const current = groupSettingOf(viewer.state, setting);
    const value = parseGroupSettingUpdate(viewer.state, setting, current, change);
    if (!isSameGroupValue(value, current)) changes[setting.name] = value;
  }
  return changes;
}

function checkRole(viewer: Viewer, setting: { changedBy: "administrator" | "owner" }): void {
  checkAdministrator(viewer);
  if (setting.changedBy === "owner" && viewer.user.role > roles.owner) throw new ApiError(errors.mustBeOwner);
}

/** The settings that are announced in this kind of event, each followed by its twins. */
function announced(
  values: Changes,
  event: OrganizationSetting["event"],
): { property: string; value: SettingValue }[] {
  return values
    .filter(([setting]) => setting.event === event)
    .flatMap(([setting, value]) => [
      { property: setting.name, value },
      ...Object.entries(setting.twins).map(([property, of]) => ({ property, value: of(value) })),
    ]);
}

function toStore(values: Changes): Record<string, unknown> {
  return Object.fromEntries(
    values.map(([setting, value]) => [setting.name, value === setting.default ? undefined : value]),
  );
}
