import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { organizationSettingsEndpoint } from "../../../api/administration/organization.ts";
import {
  organizationPermissionList,
  organizationPermissions,
} from "../../../api/administration/organization-permissions.ts";
import { organizationSettingList } from "../../../api/administration/organization-settings.ts";
import type { GroupId } from "../../../api/ids.ts";
import { type Role, roles } from "../../../api/roles.ts";
import {
  type OrganizationGroupSetting,
  type OrganizationSetting,
  organizationGroupSetting,
  organizationSetting,
  type SettingValue,
} from "../../../api/setting.ts";
import { type CastName, createHarness, type Harness } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";
import { otherValue } from "../../../test/harness/other-value.ts";
import { groups } from "../../groups/group.ts";
import { groupSettingOf } from "../../groups/group-setting.ts";
import { settingOf } from "../../organization/setting.ts";
import { users } from "../../people/user.ts";
import { changeState } from "../../people/viewer/change.ts";
import { runStateChange } from "../../platform/log/change.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { queuesOf } from "../../platform/queues/organization-queues.ts";
import { settingsSection } from "./snapshot.ts";
import { updateOrganization } from "./update-organization.ts";

let harness: Harness;
let channelId: number;
let privateChannelId: number;
const group: Record<string, GroupId> = {};

beforeAll(async () => {
  harness = await createHarness();
  channelId = (await harness.channel("announcements", ["ada"])).id;
  privateChannelId = (await harness.channel("moderators", ["ada"], { isPrivate: true })).id;
  for (const { id, name } of harness.state.get(groups).all()) group[name.replace("role:", "")] = id;
});
afterAll(() => harness.close());

async function realmOf(name: CastName): Promise<Record<string, unknown>> {
  const { body } = await harness.as(name).post("/register", { fetch_event_types: ["realm"] });
  const { queue_id: _, last_event_id: __, ...realm } = body;
  return realm;
}

describe("each setting can be changed, is announced to everyone, and is there at the next start", () => {
  test.each(organizationSettingList.map((setting) => [setting.name, setting] as const))(
    "%s",
    async (name, setting) => {
      const guest = await listen(harness.as("gus"), { event_types: ["realm"] });
      const stranger = await listen(harness.as("zed"), { event_types: ["realm"] });
      expect((await realmOf("gus"))[`realm_${name}`]).toEqual(setting.default);
      const value = setting.isChannel
        ? privateChannelId
        : (otherValue(setting.schema, setting.default) ?? null);
      const { body } = await harness.as("ada").patch("/realm", { [name]: value });
      expect(body).toEqual({ result: "success", msg: "" });

      const told: Record<string, unknown> = {};
      for (const event of await guest.heard()) {
        if (setting.event === "update") expect(event.op).toBe("update");
        Object.assign(told, event.op === "update" ? { [event.property]: event.value } : event.data);
      }
      const twins = Object.entries(setting.twins).map(([twin, of]) => [twin, of(value)]);
      expect(told).toEqual({ [name]: value, ...Object.fromEntries(twins) });
      expect(await stranger.heard()).toEqual([]);

      const realm = await realmOf("dev");
      for (const [key, expected] of Object.entries(told)) expect(realm[`realm_${key}`]).toEqual(expected);
      expect((await realmOf("zed"))[`realm_${name}`]).toEqual(setting.default);
    },
  );
});

describe("each permission can be given to another group, is announced to everyone, and is there at the next start", () => {
  test.each(organizationPermissionList.map((permission) => [permission.name, permission] as const))(
    "%s",
    async (name, permission) => {
      const guest = await listen(harness.as("gus"), { event_types: ["realm"] });
      const { allowedSystemGroups: allowed, defaultGroup } = permission;
      const usual = (["moderators", "administrators"] as const).filter(
        (each) => each !== defaultGroup && (allowed.length === 0 || allowed.includes(each)),
      );
      const other = usual[0] ?? "members";
      const { body } = await harness.as("ada").patch("/realm", { [name]: { new: group[other] } });
      expect(body).toEqual({ result: "success", msg: "" });
      const data = { [name]: group[other] };
      expect(await guest.heard()).toEqual([{ type: "realm", op: "update_dict", property: "default", data }]);
      expect((await realmOf("dev"))[`realm_${name}`]).toBe(group[other]);
    },
  );
});

describe("a setting can't be changed by", () => {
  const ofOwners = [...organizationSettingList, ...organizationPermissionList].filter(
    ({ changedBy }) => changedBy === "owner",
  );

  test.each(["cleo", "dev", "gus", "echo"] as const)("%s, who is not an administrator", async (name) => {
    const before = await realmOf("ada");
    const guest = await listen(harness.as("gus"));
    for (const params of [
      { name: "Mine" },
      { digest_weekday: 5 },
      { can_create_groups: { new: group.everyone } },
      {},
    ]) {
      const { status, body } = await harness.as(name).patch("/realm", params);
      expect([status, body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
    }
    expect(await guest.heard()).toEqual([]);
    expect(await realmOf("ada")).toEqual(before);
  });

  test("the owner of another organization", async () => {
    const before = await realmOf("ada");
    await harness.as("zed").patch("/realm", { name: "Others" });
    expect(await realmOf("ada")).toEqual(before);
  });

  test.each(ofOwners.map((setting) => [setting.name, setting] as const))(
    "an administrator: %s",
    async (name, setting) => {
      const before = await realmOf("ada");
      const value =
        "schema" in setting ? otherValue(setting.schema, before[`realm_${name}`]) : { new: group.owners };
      const { status, body } = await harness.as("ben").patch("/realm", { [name]: value, digest_weekday: 6 });
      expect([status, body.code]).toEqual([400, "UNAUTHORIZED_PRINCIPAL"]);
      expect(await realmOf("ada")).toEqual(before);
    },
  );

  test("an administrator who lost the role while the change waited for its turn", async () => {
    const { viewer, user } = harness.user("ben");
    const setRole = (role: Role) =>
      runStateChange(harness.state, async (tx) =>
        tx.appendPatch(patchOf(users, { put: [{ ...user, role }] })),
      );
    const request = { name: "Late", values: new Map(), permissions: new Map() };
    const demotion = setRole(roles.member);
    const late = changeState(viewer, (tx) => updateOrganization(tx, request));
    await expect(late).rejects.toThrow("Must be an organization administrator");
    await demotion;
    await setRole(user.role);
  });
});

describe("a value that the setting can't have is refused, and nothing else is changed either", () => {
  test.each([
    ["a number out of range", { digest_weekday: 7 }, "BAD_REQUEST"],
    ["a choice that there is not", { org_type: 11 }, "BAD_REQUEST"],
    ["a word that stands for nothing", { message_content_edit_limit_seconds: "forever" }, "BAD_REQUEST"],
    ["a limit of no time", { message_content_edit_limit_seconds: 0 }, "BAD_REQUEST"],
    ["keeping messages for no time", { message_retention_days: 0 }, "BAD_REQUEST"],
    ["an address that is no web page", { jitsi_server_url: "javascript:alert(1)" }, "BAD_REQUEST"],
    ["a description that is too long", { description: "x".repeat(1001) }, "BAD_REQUEST"],
    ["a channel that there is not", { signup_announcements_stream_id: 999_999 }, "BAD_REQUEST"],
    ["a name of nothing", { name: "   " }, "BAD_REQUEST"],
    ["a name that is too long", { name: "x".repeat(41) }, "BAD_REQUEST"],
    ["a group without its frame", { can_create_groups: 3 }, "BAD_REQUEST"],
    ["a group that there is not", { can_create_groups: { new: 999_999 } }, "BAD_REQUEST"],
    [
      "unknown people",
      { can_create_groups: { new: { direct_members: [999_999], direct_subgroups: [] } } },
      "BAD_REQUEST",
    ],
  ])("%s", async (_, params, code) => {
    const before = await realmOf("ada");
    const guest = await listen(harness.as("gus"));
    const { status, body } = await harness.as("ada").patch("/realm", { ...params, giphy_rating: 5 });
    expect([status, body.code]).toEqual([400, code]);
    expect(await guest.heard()).toEqual([]);
    expect(await realmOf("ada")).toEqual(before);
  });

  test("a channel for reports that is not private", async () => {
    const webPublic = await harness.channel("everyone", [], { isWebPublic: true });
    for (const id of [channelId, webPublic.id]) {
      for (const name of ["moderation_request_channel_id", "moderation_request_channel"]) {
        const { status, body } = await harness.as("ada").patch("/realm", { [name]: id });
        expect([status, body.msg]).toEqual([400, "The channel for reports of messages must be private."]);
      }
    }
  });

  test("a private channel that the viewer is not in", async () => {
    const { id } = await harness.channel("of the stranger", [], { isPrivate: true });
    // Administrators know of private channels, and lower roles can't change settings.
    expect((await harness.as("ben").patch("/realm", { moderation_request_channel_id: id })).status).toBe(200);
    expect((await harness.as("zed").patch("/realm", { moderation_request_channel_id: id })).body.msg).toBe(
      "Invalid channel ID",
    );
  });
});

describe("words stand for values", () => {
  test.each([
    ["message_content_edit_limit_seconds", "unlimited", null],
    ["move_messages_within_stream_limit_seconds", "unlimited", null],
    ["message_retention_days", "unlimited", -1],
    ["jitsi_server_url", "default", null],
  ])("%s", async (name, word, value) => {
    const other = name === "jitsi_server_url" ? "https://calls.example.com" : 77;
    await harness.as("ada").patch("/realm", { [name]: other });
    expect((await realmOf("dev"))[`realm_${name}`]).toBe(other);
    await harness.as("ada").patch("/realm", { [name]: word });
    expect((await realmOf("dev"))[`realm_${name}`]).toBe(value);
  });
});

describe("a permission", () => {
  const name = organizationPermissions.canCreateGroups.name;
  const permission = organizationPermissions.canCreateGroups;
  const set = (change: unknown) => harness.as("ada").patch("/realm", { [name]: change });
  const value = () => groupSettingOf(harness.state, permission);
  beforeEach(async () => {
    await set({ new: group.members });
  });

  test("can name people and groups together", async () => {
    const mixed = {
      direct_members: [harness.user("dev").id, harness.user("gus").id],
      direct_subgroups: [group.moderators],
    };
    await set({ new: mixed });
    expect(value()).toEqual(mixed);
    expect((await realmOf("gus")).realm_can_create_groups).toEqual(mixed);
  });

  test("that names one group and nobody else is returned as that group", async () => {
    await set({ new: { direct_members: [], direct_subgroups: [group.moderators] } });
    expect(value()).toBe(group.moderators);
  });

  test("is changed only from the value that the caller believes it has", async () => {
    const { status, body } = await set({ new: group.moderators, old: group.administrators });
    expect([status, body.code]).toEqual([400, "EXPECTATION_MISMATCH"]);
    expect(value()).toBe(group.members);
    expect((await set({ new: group.moderators, old: group.members })).status).toBe(200);
    expect(value()).toBe(group.moderators);
  });

  test("does not depend on the order in which people are named", async () => {
    const { id: dev } = harness.user("dev");
    const { id: gus } = harness.user("gus");
    await set({ new: { direct_members: [dev, gus], direct_subgroups: [] } });
    const guest = await listen(harness.as("gus"));
    await set({ new: { direct_members: [gus, dev, gus], direct_subgroups: [] } });
    expect(await guest.heard()).toEqual([]);
    const old = { direct_members: [gus, dev], direct_subgroups: [] };
    expect((await set({ new: group.members, old })).status).toBe(200);
  });

  test.each([
    ["everyone, guests included", "can_create_groups", "everyone"],
    ["the whole internet", "can_create_groups", "internet"],
    ["nobody, where somebody must", "can_manage_all_groups", "nobody"],
    ["members, where only higher roles may", "can_create_web_public_channel_group", "members"],
  ])("can't be given to %s", async (_, setting, to) => {
    const { status, body } = await harness.as("ada").patch("/realm", { [setting]: { new: group[to] } });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(body.msg).toContain(`'role:${to}'`);
  });

  test("that requires a system group refuses people", async () => {
    const change = { new: { direct_members: [harness.user("dev").id], direct_subgroups: [] } };
    const { status, body } = await harness
      .as("ada")
      .patch("/realm", { can_create_web_public_channel_group: change });
    expect([status, body.code, body.setting_name]).toEqual([
      400,
      "SYSTEM_GROUP_REQUIRED",
      "can_create_web_public_channel_group",
    ]);
  });
});

test("settings that change together are sent in one event if the API combines them", async () => {
  const guest = await listen(harness.as("gus"), { event_types: ["realm"] });
  await harness.as("ada").patch("/realm", {
    allow_message_editing: true,
    message_content_edit_limit_seconds: 1234,
    can_resolve_topics_group: { new: group.members },
    name: "Together",
  });
  const heard = await guest.heard();
  expect(heard).toEqual([
    { type: "realm", op: "update", property: "name", value: "Together" },
    {
      type: "realm",
      op: "update_dict",
      property: "default",
      data: {
        allow_message_editing: true,
        message_content_edit_limit_seconds: 1234,
        can_resolve_topics_group: group.members,
      },
    },
  ]);
  expect((await realmOf("gus")).realm_name).toBe("Together");
});

test("both names of the channel for reports are read and sent", async () => {
  await harness.as("ada").patch("/realm", { moderation_request_channel: privateChannelId });
  const realm = await realmOf("gus");
  expect(realm.realm_moderation_request_channel).toBe(privateChannelId);
  expect(realm.realm_moderation_request_channel_id).toBe(privateChannelId);
});

test("new settings are one declaration each: parameter, check, events and /register come from it", async () => {
  const tea = organizationSetting({
    name: "tea_time",
    schema: Type.Integer({ minimum: 0, maximum: 23 }),
    default: 16,
    description: "The hour of tea.",
    words: { noon: 12 },
    twins: { is_late_tea: (hour) => hour > 17 },
  });
  const canBrew = organizationGroupSetting({
    name: "can_brew_tea_group",
    description: "Who may brew tea.",
    defaultGroup: "members",
    changedBy: "owner",
  });
  const settings: OrganizationSetting[] = [tea];
  const permissions: OrganizationGroupSetting[] = [canBrew];
  const { parameters } = organizationSettingsEndpoint(settings, permissions);
  expect(parameters.tea_time).toMatchObject({ required: false, encoding: "either" });
  expect(parameters.can_brew_tea_group).toMatchObject({ required: false, encoding: "json" });

  const queue = queuesOf(harness.state).byId.get((await listen(harness.as("gus"))).queueId);
  const request = {
    name: undefined,
    values: new Map<OrganizationSetting, SettingValue>([[tea, "noon"]]),
    permissions: new Map([[canBrew, { new: group.moderators as GroupId }]]),
  };
  const by = (name: CastName) =>
    changeState(harness.user(name).viewer, (tx) => updateOrganization(tx, request));
  await expect(by("ben")).rejects.toThrow("Must be an organization owner");
  await by("ada");
  expect(settingOf(harness.state, tea)).toBe(12);
  expect(queue?.pending.map(({ json }) => JSON.parse(json))).toMatchObject([
    { op: "update", property: "tea_time", value: 12 },
    { op: "update", property: "is_late_tea", value: false },
    { op: "update_dict", data: { can_brew_tea_group: group.moderators } },
  ]);
  if (!queue) throw new Error("there is no queue");
  const section = settingsSection(settings, permissions);
  const fields = await section({
    tx: harness.services.database,
    state: harness.state,
    viewer: harness.user("gus").viewer,
    options: queue.options,
    presenceHistoryLimitDays: 0,
    baseUrl: "http://demo.test",
    wants: (name) => name === "realm",
    wantsAll: false,
    answer: {},
    own: async () => [],
  });
  expect(fields).toMatchObject({
    realm_tea_time: 12,
    realm_is_late_tea: false,
    realm_can_brew_tea_group: group.moderators,
  });
});
