import { expect, test } from "vitest";
import { auditActions, auditTargets } from "../../../api/administration/audit-log.ts";
import { organizationPermissionList } from "../../../api/administration/organization-permissions.ts";
import { organizationSettingList } from "../../../api/administration/organization-settings.ts";
import english from "../../i18n/settings/en.json" with { type: "json" };
import {
  channelChoices,
  choices,
  dependsOn,
  limits,
  numbers,
  ownersOnly,
  permissions,
  settingSections,
  texts,
  toggles,
} from "./setting-list.ts";

/** Set elsewhere in the client, or without effect here. */
const elsewhere = ["description", "default_language"];
const withoutEffect = [
  ...["org_type", "giphy_rating"],
  ...["want_advertise_in_communities_directory", "require_e2ee_push_notifications"],
  ...["zulip_update_announcements_stream_id", "can_manage_billing_group", "can_summarize_topics_group"],
];
const shown: readonly string[] = Object.values(settingSections).flat();
const declared = [...organizationSettingList, ...organizationPermissionList];

test("each setting of the organization is in one section, or is known not to be", () => {
  const all = [...shown, ...elsewhere, ...withoutEffect];
  expect(all.sort()).toEqual(declared.map(({ name }) => name).sort());
});

test("each setting has one kind of control, and a text", () => {
  const kinds = [...toggles, ...limits, ...channelChoices, ...texts, ...numbers, ...permissions];
  expect([...kinds, ...Object.keys(choices)].sort()).toEqual([...shown].sort());
  const known: Readonly<Record<string, string>> = english;
  for (const name of shown) expect(known[`organization.setting.${name}`], name).toBeDefined();
  for (const [name, values] of Object.entries(choices))
    for (const value of values) expect(known[`organization.choice.${name}.${value}`]).toBeDefined();
});

test("only owners are offered what only owners may change", () => {
  const forOwners = declared.filter(({ name, changedBy }) => changedBy === "owner" && shown.includes(name));
  expect([...ownersOnly].sort()).toEqual(forOwners.map(({ name }) => name).sort());
});

test("a setting depends on one that is above it", () => {
  for (const [name, [needed]] of Object.entries(dependsOn)) {
    const section: readonly string[] =
      Object.values(settingSections).find((one: readonly string[]) => one.includes(name)) ?? [];
    expect(section.indexOf(needed)).toBeGreaterThanOrEqual(0);
    expect(section.indexOf(needed)).toBeLessThan(section.indexOf(name));
  }
});

test("each action and target of the audit log has a text", () => {
  const known: Readonly<Record<string, string>> = english;
  for (const action of Object.keys(auditActions))
    expect(known[`audit.action.${action}`], action).toBeDefined();
  for (const target of Object.keys(auditTargets))
    expect(known[`audit.target.${target}`], target).toBeDefined();
});
