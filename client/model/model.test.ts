import { describe, expect, test } from "vitest";
import { organizationPermissions } from "../../api/administration/organization-permissions.ts";
import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { exampleUser } from "../../api/people/user.ts";
import { userSettings } from "../../api/people/user-settings.ts";
import { roles } from "../../api/roles.ts";
import type { QueuedEvent } from "../contract.ts";
import { checkInvariants } from "./invariants.ts";
import { Model } from "./model.ts";

const group = (id: number, members: number[], direct_subgroup_ids: number[] = []) => ({
  id,
  name: `group ${id}`,
  description: "",
  members,
  direct_subgroup_ids,
  is_system_group: false,
  deactivated: false,
  creator_id: null,
  date_created: null,
  can_manage_group: 1,
});

function modelOf(snapshot: Record<string, unknown>, ...events: Record<string, unknown>[]): Model {
  const model = Model.fromSnapshot(snapshot);
  for (const [index, event] of events.entries()) {
    model.handle({ id: index + 1, ...event } as unknown as QueuedEvent);
    checkInvariants(model);
  }
  return model;
}

test("an event of an unknown type changes nothing", () => {
  const snapshot = { realm_name: "Demo", max_topic_length: 60 };
  const model = modelOf(snapshot, { type: "something_new", op: "add" });
  expect(model.comparable()).toEqual(modelOf(snapshot).comparable());
});

test("a change in a part of the snapshot that no subject reads makes models unequal", () => {
  expect(modelOf({ max_topic_length: 60 }).comparable()).not.toEqual(
    modelOf({ max_topic_length: 61 }).comparable(),
  );
  expect(modelOf({ realm_emoji: {} }).comparable()).not.toEqual(
    modelOf({ realm_emoji: { 1: {} } }).comparable(),
  );
});

describe("the settings of the organization and of the viewer are read by their declarations", () => {
  test("with the value of the snapshot, the newest event, or else the default", () => {
    const model = modelOf(
      { realm_topics_policy: "disable_empty_topic", user_settings: { enter_sends: true } },
      { type: "realm", op: "update", property: "digest_weekday", value: 4 },
      { type: "user_settings", op: "update", property: "twenty_four_hour_time", value: true },
    );
    expect(model.organization.get(organizationSettings.topicsPolicy)).toBe("disable_empty_topic");
    expect(model.organization.get(organizationSettings.digestWeekday)).toBe(4);
    expect(model.organization.get(organizationSettings.inviteRequired)).toBe(true);
    expect(model.settings.get(userSettings.enterSends)).toBe(true);
    expect(model.settings.get(userSettings.twentyFourHourTime)).toBe(true);
  });

  test("permissions follow from the groups", () => {
    const model = modelOf(
      { realm_user_groups: [group(1, [7]), group(2, [8], [1])], realm_can_create_groups: 1 },
      { type: "realm", op: "update_dict", property: "default", data: { can_create_groups: 2 } },
      { type: "user_group", op: "remove_members", group_id: 2, user_ids: [8] },
      { type: "user_group", op: "add_members", group_id: 1, user_ids: [9] },
    );
    const setting = model.organization.permission(organizationPermissions.canCreateGroups);
    const may = [7, 8, 9].filter((id) => model.groups.includes(setting ?? 0, id));
    expect(may).toEqual([7, 9]);
  });

  test("a permission can list people and groups", () => {
    const model = modelOf({
      realm_user_groups: [group(1, [7])],
      realm_can_create_groups: { direct_members: [3], direct_subgroups: [1] },
    });
    const setting = model.organization.permission(organizationPermissions.canCreateGroups) ?? 0;
    expect([3, 7, 8].map((id) => model.groups.includes(setting, id))).toEqual([true, true, false]);
  });
});

describe("a person", () => {
  const before = { user_id: 10, realm_users: [exampleUser] };

  test.each([
    ["gets another role", { role: roles.administrator }, { role: roles.administrator }],
    ["is deactivated", { is_active: false }, { isActive: false }],
    ["has another address", { new_email: "d@demo.test" }, { email: "d@demo.test" }],
    [
      "fills in a field of their profile",
      { custom_profile_field: { id: 3, value: "x", rendered_value: "<p>x</p>" } },
      { profileData: { 3: { value: "x", renderedValue: "<p>x</p>" } } },
    ],
  ])("%s", (_, change, expected) => {
    const model = modelOf(before, { type: "realm_user", op: "update", person: { user_id: 10, ...change } });
    expect(model.viewer.user).toMatchObject(expected);
  });

  test("a new user is added, and a user whom a guest can no longer see becomes unknown", () => {
    const elin = { ...exampleUser, user_id: 11, full_name: "Elin Berg" };
    const joined = { type: "realm_user", op: "add", person: elin };
    expect(modelOf(before, joined).users.get(11)?.fullName).toBe("Elin Berg");
    const gone = { type: "realm_user", op: "remove", person: { user_id: 11, full_name: "Unknown user" } };
    expect(modelOf(before, joined, gone).users.get(11)?.fullName).toBe("Unknown user");
    const parameters = { client_capabilities: { user_list_incomplete: true } };
    const model = Model.fromSnapshot(before, { parameters });
    for (const event of [joined, gone]) model.handle({ id: 1, ...event } as unknown as QueuedEvent);
    expect(model.users.get(11)).toBeUndefined();
  });
});

test("a model that contradicts itself is detected", () => {
  const channel = {
    stream_id: 12,
    name: "general",
    subscriber_count: 1,
    subscribers: [7, 8],
    color: "#5b8def",
  };
  const model = Model.fromSnapshot({ subscriptions: [channel] });
  expect(() => checkInvariants(model)).toThrow("channel 12 counts 1 subscribers and lists 2");
});

test("a topic policy with a date in milliseconds is detected", () => {
  const topic = { stream_id: 12, topic_name: "lunch", visibility_policy: 1 };
  const datedAt = (last_updated: number) => () => modelOf({}, { type: "user_topic", ...topic, last_updated });
  expect(datedAt(1_763_700_000)).not.toThrow();
  expect(datedAt(1_763_700_000_000)).toThrow("topic lunch of channel 12 is not dated in seconds");
});

test("folders are reordered and archived", () => {
  const folder = (id: number, order: number) => ({ id, name: `folder ${id}`, order, is_archived: false });
  const model = modelOf(
    { channel_folders: [folder(1, 0), folder(2, 1)] },
    { type: "channel_folder", op: "reorder", order: [2, 1] },
    { type: "channel_folder", op: "update", channel_folder_id: 1, data: { is_archived: true } },
  );
  expect(model.folders.byId.get(1)).toMatchObject({ order: 1, isArchived: true });
});
